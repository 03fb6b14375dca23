import { basename } from 'node:path';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { lineReader, wholeText } from './child-output.ts';
import { type Child, type ChildExit, outputEnds, startChild } from './child-process.ts';
import { endMarkedProcesses } from './marked-processes.ts';
import type { StepCall, Target, TargetSession, TrialTicket } from './target.ts';

export interface CommandTargetOptions {
  /** Program and arguments; `{input}` in an argument stands for the text of the step. */
  readonly command: readonly string[];
  /**
   * `step` (default): one process a step; it reads the input from stdin and prints the reply. `trial`: one process for the
   * whole trial; each line it reads is `{ input, conversation, traceparent }`, each line it prints a reply.
   */
  readonly per?: 'step' | 'trial';
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr?: 'ignore' | 'inherit';
  /** Default 16 MiB. A command that prints more is stopped. */
  readonly maxOutputBytes?: number;
}

const defaultMaxOutputBytes = 16 * 2 ** 20;

/** A target that is a command. A command that fails, or ends before it has answered, is an error and no finding. */
export function commandTarget(options: CommandTargetOptions): Target {
  const { command, per = 'step' } = options;
  return {
    kind: 'command',
    label: basename(command[0] ?? ''),
    open: (ticket) => (per === 'trial' ? trialSession(options, ticket) : Promise.resolve(stepSession(options, ticket))),
  };
}

function stepSession(options: CommandTargetOptions, ticket: TrialTicket): TargetSession {
  let running: Child | undefined;
  return {
    async step(call) {
      const text = typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
      const env = { ...stepEnv(options, ticket, call), OTEL_EVAL_CONVERSATION_ID: call.conversation };
      const command = options.command.map((part) => part.replaceAll('{input}', () => text));
      const child = await startChild(command, { ...options, env });
      running = child;
      return ended(child, call.signal, async () => {
        child.stdin.end(text);
        const reply = await wholeText(child, options.maxOutputBytes ?? defaultMaxOutputBytes);
        requireSuccess(child.name, await child.exit);
        return reply.trim();
      });
    },
    async close() {
      if (running === undefined) return;
      await running.end();
      await requireNothingLeft(running.name, ticket);
    },
  };
}

async function trialSession(options: CommandTargetOptions, ticket: TrialTicket): Promise<TargetSession> {
  const env = { ...options.env, ...ticket.env };
  const child = await startChild(options.command, { ...options, env });
  const nextLine = lineReader(child, options.maxOutputBytes ?? defaultMaxOutputBytes);
  let finished = false;
  return {
    async step({ input, conversation, traceparent }) {
      child.stdin.write(`${JSON.stringify({ input, conversation, traceparent })}\n`);
      const line = await nextLine();
      if (line === undefined) throw endedEarly(child.name, await child.exit);
      return parsed(line);
    },
    async drain() {
      child.stdin.end();
      const exit = await child.exit;
      finished = true;
      await outputEnds(child);
      requireSuccess(child.name, exit);
    },
    async close() {
      if ((await child.end()) && finished) throw leftRunning(child.name);
      await requireNothingLeft(child.name, ticket);
    },
  };
}

function stepEnv(
  options: CommandTargetOptions,
  ticket: TrialTicket,
  call: StepCall,
): Record<string, string | undefined> {
  return { ...options.env, ...ticket.env, TRACEPARENT: call.traceparent };
}

/** Whatever happens, nothing of the command is left when this returns. */
async function ended(child: Child, signal: AbortSignal, work: () => Promise<string>): Promise<string> {
  const stop = (): void => void child.end();
  signal.addEventListener('abort', stop, { once: true });
  let reply: string;
  try {
    reply = await work();
  } catch (error) {
    await child.end();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (await child.end()) throw leftRunning(child.name);
  return reply;
}

async function requireNothingLeft(name: string, { runId }: TrialTicket): Promise<void> {
  if ((await endMarkedProcesses('OTEL_EVAL_RUN_ID', runId)) > 0) throw leftRunning(name);
}

function requireSuccess(name: string, exit: ChildExit): void {
  if (exit.code !== 0) throw new OtelEvalError('OTEL_EVAL_COMMAND', `${name} ended with ${exitText(exit)}`);
}

function endedEarly(name: string, exit: ChildExit): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_COMMAND', `${name} ended with ${exitText(exit)} before it answered the step`, {
    hint: 'print one line for each line read, and end when the input ends',
  });
}

function leftRunning(name: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_COMMAND', `${name} left a process running after it had ended; it was stopped`, {
    hint: 'what a trial starts must end with it, else its trace may still grow',
  });
}

function exitText({ code, signal }: ChildExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
