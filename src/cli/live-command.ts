import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectors } from '../../collectors/index.ts';
import type { OtlpReceiver } from '../../collectors/otlp-receiver.ts';
import { type Child, startChild } from '../suite/target/child-process.ts';
import { traceparent } from '../suite/target/traceparent.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Collection } from '../trace/trace-set.ts';
import type { Context } from './context.ts';
import type { SourceSettings } from './source-settings.ts';

/** How the command under test ended. */
export interface LiveOutcome {
  /** `null` where a signal ended it, or we did. */
  readonly exitCode: number | null;
  /** Why that is no success; `undefined` where it is one. */
  readonly failure: OtelEvalError | undefined;
  /** The span that the command was told to hang its own below. We never export it: it counts as resolved. */
  readonly parentSpanId: string;
}

export interface LiveOptions {
  readonly command: readonly string[];
  /** The exit code that is a success. */
  readonly expectedExit: number;
}

/** Without receipts, and when the command and all it started has ended: how long nothing more must come. */
const defaultSettleMs = 1_000;
const pollMs = 50;

/**
 * Runs a command with a receiver of its own as OTLP endpoint, waits until it has ended and its spans are whole, and hands
 * over what came.
 */
export async function withLiveCommand<T>(
  { command, expectedExit }: LiveOptions,
  { settings, context }: { readonly settings: SourceSettings; readonly context: Context },
  use: (collection: Collection, outcome: LiveOutcome) => Promise<T>,
): Promise<T> {
  const otlpReceiverCollector = await collectors.otlp();
  const receiver = await otlpReceiverCollector({ port: 0 });
  try {
    const parentSpanId = randomBytes(8).toString('hex');
    const parent = traceparent(randomBytes(16).toString('hex'), parentSpanId);
    const env = environment(context.env, receiver.url, parent);
    const child = await startChild(command, { cwd: context.cwd, env, stderr: 'inherit' });
    child.stdin.end();
    child.stdout.setEncoding('utf8').on('data', (text: string) => context.echo(text));
    const exitCode = await exitOf(child, settings.deadlineMs, context);
    await wholeSpans(receiver, settings);
    await receiver.stop();
    const failure = failureOf(child.name, exitCode, { expectedExit, deadlineMs: settings.deadlineMs });
    return await use(await receiver.collect(), { exitCode: exitCode.code, failure, parentSpanId });
  } finally {
    await receiver.close();
  }
}

/** Endpoints for single signals would win over the general one, so they go. */
function environment(given: Context['env'], url: string, parent: string): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...given };
  for (const signal of ['TRACES', 'LOGS', 'METRICS']) {
    for (const what of ['ENDPOINT', 'PROTOCOL']) delete env[`OTEL_EXPORTER_OTLP_${signal}_${what}`];
  }
  return {
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    TRACEPARENT: parent,
  };
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

/** Ends the command, and all it started, at the deadline and when we are asked to end. */
async function exitOf(child: Child, deadlineMs: number | undefined, context: Context): Promise<Exit> {
  const waiting = new AbortController();
  const late = deadlineMs === undefined ? [] : [sleep(deadlineMs, 'late' as const, { signal: waiting.signal })];
  const stopped = context.untilStopped(waiting.signal).then(() => 'stopped' as const);
  try {
    const first = await Promise.race([child.exit, stopped, ...late]);
    await child.end();
    if (first === 'stopped') throw new OtelEvalError('OTEL_EVAL_COMMAND', `interrupted; ${child.name} was ended`);
    return { ...(await child.exit), timedOut: first === 'late' };
  } finally {
    waiting.abort();
    for (const each of late) each.catch(() => {});
  }
}

function failureOf(
  name: string,
  { code, signal, timedOut }: Exit,
  { expectedExit, deadlineMs }: { readonly expectedExit: number; readonly deadlineMs: number | undefined },
): OtelEvalError | undefined {
  if (timedOut) {
    const message = `${name} did not end within ${deadlineMs} ms and was ended`;
    return new OtelEvalError('OTEL_EVAL_COMMAND', message, { hint: 'raise --deadline' });
  }
  if (code === expectedExit) return undefined;
  const got = signal === null ? `exit code ${code}` : `signal ${signal}`;
  return new OtelEvalError('OTEL_EVAL_COMMAND', `${name} ended with ${got}, expected exit code ${expectedExit}`);
}

/** Returns at once when receipts prove every trace whole, else when nothing has come for a while. */
async function wholeSpans(receiver: OtlpReceiver, { settleMs = defaultSettleMs }: SourceSettings): Promise<void> {
  let seen = -1;
  let quietMs = 0;
  while (quietMs < settleMs) {
    const { requests } = receiver.received();
    if (requests !== seen && (await allProven(receiver))) return;
    quietMs = requests === seen ? quietMs + pollMs : 0;
    seen = requests;
    await sleep(pollMs);
  }
}

async function allProven(receiver: OtlpReceiver): Promise<boolean> {
  let traces = 0;
  for await (const group of (await receiver.collect()).groups()) {
    traces += group.length;
    if (group.some(({ completeness }) => completeness.state !== 'proven')) return false;
  }
  return traces > 0;
}
