import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Context } from '../../src/cli/context.ts';

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  terminal?: boolean;
  columns?: number;
  /** Milliseconds since the epoch; one fixed time without it. */
  now?: () => number;
  /** Resolves when the command is to end. */
  stop?: (stdout: () => string) => Promise<void>;
}

/** A whole command line in this process, with its own context: every byte of both streams, and a fixed clock. One at a time. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  const context: Context = {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? {},
    stdin: stdinOf(options.stdin ?? ''),
    now: options.now ?? (() => Date.UTC(2026, 10, 30, 12)),
    write: async (text) => {
      stdout += text;
    },
    note: (text) => {
      stderr += text.endsWith('\n') ? text : `${text}\n`;
    },
    echo: (text) => {
      stderr += text;
    },
    untilStopped: () => options.stop?.(() => stdout) ?? new Promise(() => {}),
    stdoutIsTerminal: options.terminal ?? false,
    stderrIsTerminal: options.terminal ?? false,
    columns: options.columns ?? 80,
  };
  const before = process.cwd();
  process.chdir(context.cwd);
  try {
    const code = await runCommandLine(args, context);
    return { code, stdout, stderr };
  } finally {
    process.chdir(before);
  }
}

async function* stdinOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** A folder of its own for one test file. */
export function scratchFolder(): { path: string; file: (name: string) => string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'otel-eval-cli-'));
  return { path, file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) };
}
