import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { endGroup, groupEnds, killGroup } from './process-group.ts';

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `inherit` shows what the command says on stderr; it is content, so it is asked for. Default `ignore`. */
  readonly stderr?: 'ignore' | 'inherit';
}

export interface ChildExit {
  /** `null` where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A command that runs as the leader of its own process group, so that whatever it starts can be ended with it. */
export interface Child {
  readonly name: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly exit: Promise<ChildExit>;
  /** Ends the whole group. True where something was left running after the command itself had ended. */
  end(): Promise<boolean>;
}

const graceMs = 1_000;
const running = new Set<number>();
process.once('exit', () => {
  for (const groupId of running) killGroup(groupId);
});

/** Starts a command. That it cannot be started is an `OTEL_EVAL_COMMAND` error. */
export async function startChild(command: readonly string[], options: ChildOptions): Promise<Child> {
  const [file = '', ...args] = command;
  const name = basename(file);
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['pipe', 'pipe', options.stderr ?? 'ignore'],
  });
  await started(child, name);
  const groupId = child.pid as number;
  running.add(groupId);
  // A command that does not read its input closes the pipe: that is its right.
  child.stdin?.on('error', () => {});
  let ended = false;
  const exit = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      resolve({ code, signal });
    });
  });
  return {
    name,
    stdin: child.stdin as Writable,
    stdout: child.stdout as Readable,
    exit,
    async end() {
      const leaked = ended && !(await groupEnds(groupId, graceMs));
      await endGroup(groupId, graceMs);
      running.delete(groupId);
      child.stdout?.destroy();
      child.stdin?.destroy();
      return leaked;
    },
  };
}

/** Ends the standard output of a command that has exited, though a child of it may hold the pipe open. */
export async function outputEnds(child: Child): Promise<void> {
  if (child.stdout.readableEnded || child.stdout.destroyed) return;
  await Promise.race([once(child.stdout, 'close'), sleep(graceMs, undefined, { ref: false })]).catch(() => {});
}

async function started(child: ChildProcess, name: string): Promise<void> {
  try {
    await once(child, 'spawn');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    const reason = code === 'ENOENT' ? 'no such command or working directory' : code;
    throw new OtelEvalError('OTEL_EVAL_COMMAND', `cannot start ${name}: ${reason}`, { cause });
  }
}
