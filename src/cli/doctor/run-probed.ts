import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Context } from '../context.ts';
import { type Probed, probeOption } from './probe.ts';

/** Runs a command with the probe in its Node processes; `undefined` where none of them told anything. */
export async function runProbed(command: readonly string[], { cwd, env }: Context): Promise<Probed | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'otel-eval-doctor-'));
  const file = join(folder, 'probe.json');
  try {
    await ended(command, cwd, {
      ...env,
      NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} ${probeOption()}`.trim(),
      OTEL_EVAL_PROBE_FILE: file,
    });
    return JSON.parse(await readFile(file, 'utf8')) as Probed;
  } catch (error) {
    if (OtelEvalError.is(error)) throw error;
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ended(command: readonly string[], cwd: string, env: Record<string, string | undefined>): Promise<void> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ['inherit', 2, 2] });
    child.on('error', (cause) => {
      reject(new OtelEvalError('OTEL_EVAL_COMMAND', `cannot start ${program}`, { source: program, cause }));
    });
    child.on('exit', () => resolve());
  });
}
