import { Writable } from 'node:stream';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import type { Context } from '../../../src/cli/context.ts';
import type { Report } from '../../../src/report/report.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Where `--json` was given. */
  report(): Report;
}

/** Runs a command line in this process. */
export async function runOtelEval(args: readonly string[], changes: Partial<Context> = {}): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const context: Context = {
    cwd: process.cwd(),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdin: process.stdin,
    now: () => Date.now(),
    write: async (text) => {
      stdout += text;
    },
    note: (text) => {
      stderr += `${text}\n`;
    },
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 100,
    ...changes,
  };
  const code = await runCommandLine(args, context);
  return { code, stdout, stderr, report: () => JSON.parse(stdout) as Report };
}

export const nowhere: Writable = new Writable({ write: (_chunk, _encoding, done) => done() });
