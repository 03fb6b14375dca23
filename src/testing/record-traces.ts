import { context, trace } from '@opentelemetry/api';
import { AgentRun } from '../agent/agent-run.ts';
import { readRuns } from '../agent/run-reader.ts';
import { readContentBeside } from '../instrument/content-beside.ts';
import type { SpanProcessor } from '../instrument/sdk-shapes.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import { callerOf } from './caller.ts';
import { joinProvider } from './join-provider.ts';
import { type RecordedRun, type RunEvidence, recordedRun, type StraySpan } from './recorded-run.ts';
import { RecordedSpans, type StorableSpan } from './recorded-spans.ts';
import { Recording } from './recording.ts';
import { RecordingProcessor, strayOf } from './recording-processor.ts';
import { toldError } from './told-error.ts';

export interface RecordTracesOptions {
  /** `false`: register nothing and attach to nothing; give `processor` to the app's own provider. Default `true`. */
  readonly attach?: boolean;
  /** Scopes of the app that make a span for every model and tool call, failed ones too: your word for it. */
  readonly instrumented?: readonly string[];
}

export interface RecordOptions {
  /** Keeps what the function throws in `error` instead of throwing it on. Default `false`. */
  readonly keepError?: boolean;
  /** How `leaked` names this recording. Default: the file and line of the call. */
  readonly name?: string;
  /** How long to wait for spans that have not ended when the function has. Default 1,000. */
  readonly graceMs?: number;
}

export interface TraceRecorder {
  /** For an app that makes its own provider: one of its span processors. */
  readonly processor: SpanProcessor;
  /**
   * Runs a function and returns the one run that it made, with all spans that ended. Recordings may run side by side.
   *
   * @example
   * const run = await traces.record(() => agent.run('Please refund ORD-1001'));
   */
  record<Value>(fn: () => Value | Promise<Value>, options?: RecordOptions): Promise<RecordedRun<Value>>;
  /** Spans that outlived the recording they started in, each with the name of the recording: the test that leaks. */
  leaked(): readonly StraySpan[];
  /** Forgets what was recorded. */
  reset(): void;
  /** Takes down what was set up. May be called twice. */
  close(): Promise<void>;
}

/**
 * Records the traces of this process for tests. Without a registered provider it sets OpenTelemetry up; beside one it adds a
 * processor to it, so the app's own exporters stay as they are.
 *
 * @example
 * const traces = recordTraces();
 * afterAll(() => traces.close());
 */
export function recordTraces({ attach = true, instrumented = [] }: RecordTracesOptions = {}): TraceRecorder {
  readContentBeside();
  const recordings: Recordings = new RecordingProcessor();
  const processor = processorOf(recordings);
  const leave = attach ? joined(processor) : undefined;
  const record: TraceRecorder['record'] = async (fn, options = {}) => {
    const name = options.name ?? callerOf(record);
    assertFunction(fn);
    return recordRun({ recordings, instrumented }, fn, { ...options, name });
  };
  return {
    processor,
    record,
    leaked: () => recordings.leaked(),
    reset: () => recordings.reset(),
    async close() {
      leave?.();
    },
  };
}

function joined(processor: SpanProcessor): () => void {
  try {
    return joinProvider(processor);
  } catch (error) {
    throw toldError(error);
  }
}

/** What has begun before `record` was called is recorded by none. */
function assertFunction(fn: unknown): void {
  if (typeof fn === 'function') return;
  const got = fn instanceof Promise ? 'a promise, of something that has begun before' : typeof fn;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `record() expects a function, as record(() => agent()), got ${got}`);
}

type Recordings = RecordingProcessor<StorableSpan>;

function processorOf(recordings: Recordings): SpanProcessor {
  return {
    onStart: (span, parentContext) => recordings.onStart(span, parentContext),
    onEnd: (span) => recordings.onEnd(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

interface Recorder {
  readonly recordings: Recordings;
  readonly instrumented: readonly string[];
}

async function recordRun<Value>(
  { recordings, instrumented }: Recorder,
  fn: () => Value | Promise<Value>,
  { keepError = false, graceMs = 1_000, name }: RecordOptions & { readonly name: string },
): Promise<RecordedRun<Value>> {
  const spans = new RecordedSpans();
  const recording = new Recording(name, spans);
  // A run of its own: below a span that happens to be active its top would have a parent that nobody records.
  const inside = trace.deleteSpan(context.active()).setValue(recordings.key, recording);
  const isKept = context.with(inside, () => context.active() === inside);
  recordings.begin(recording, !isKept);
  let value: Value | undefined;
  let error: unknown;
  try {
    value = await context.with(inside, fn);
  } catch (thrown) {
    if (!keepError) throw thrown;
    error = thrown;
  } finally {
    await recording.settle(graceMs);
    recordings.end(recording);
  }
  const { whole, onSpans } = await spans.collect();
  return recordedRun({
    ...evidenceOf(whole, instrumented),
    onSpans: evidenceOf(onSpans, instrumented),
    source: { kind: 'memory', acceptsSettled: false, remoteRoot: false },
    value: value as Value,
    error,
    open: [...recording.open.values()].map((span) => strayOf(span, name)),
    others: recording.others,
  });
}

function evidenceOf(traces: readonly CollectedTrace[], instrumented: readonly string[]): RunEvidence {
  const [run] = readRuns(traces, { oneRun: true, instrumented });
  return { run: run ?? new AgentRun({ traces: [], runId: null, boundary: 'user' }), traces };
}
