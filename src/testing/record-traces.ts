import { context, propagation, trace } from '@opentelemetry/api';
import { type MemoryCollector, memoryCollector } from '../../collectors/memory.ts';
import { AgentRun } from '../agent/agent-run.ts';
import { readRuns } from '../agent/run-reader.ts';
import { contentBeside, readContentBeside } from '../instrument/content-beside.ts';
import type { ReadableSpan, SpanProcessor } from '../instrument/sdk-shapes.ts';
import { createProvider, installProvider } from '../register/set-up-tracing.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import { attachProcessor } from './attach-processor.ts';
import { type RecordedRun, recordedRun, type StraySpan } from './recorded-run.ts';
import { Recording, RecordingProcessor, recordingKey, strayOf } from './recording-processor.ts';

export interface RecordTracesOptions {
  /** `false`: register nothing and attach to nothing; give `processor` to the app's own provider. Default `true`. */
  readonly attach?: boolean;
  /** Scopes of the app that make a span for every model and tool call, failed ones too: your word for it. */
  readonly instrumented?: readonly string[];
}

export interface RecordOptions {
  /** Keeps what the function throws in `error` instead of throwing it on. Default `false`. */
  readonly keepError?: boolean;
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
  /** Spans that outlived the recording they started in: a test that leaks is named by them. */
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
  const memory = memoryCollector();
  readContentBeside();
  const recordings = new RecordingProcessor(memory.processor);
  const processor = processorOf(recordings);
  const detach = attach ? attachProcessor(processor) : undefined;
  let takeDown = attach && detach === undefined ? setUp(processor) : undefined;
  return {
    processor,
    record: (fn, options) => record({ memory, recordings, instrumented }, fn, options),
    leaked: () => recordings.leaked(),
    reset() {
      recordings.reset();
      memory.reset();
    },
    async close() {
      detach?.();
      await takeDown?.();
      takeDown = undefined;
      await memory.close();
    },
  };
}

/** Sets OpenTelemetry up for this process, and returns how to take it down again. */
function setUp(processor: SpanProcessor): () => Promise<void> {
  const provider = createProvider({ processors: [processor] });
  installProvider(provider);
  return async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

type Recordings = RecordingProcessor<Parameters<MemoryCollector['processor']['onStart']>[0]>;

/**
 * With what our helpers recorded beside the span: a test reads it in this process, and nothing leaves. The shared span stays
 * as it is.
 */
function withHelperContent(span: ReadableSpan): ReadableSpan {
  const content = contentBeside(span);
  if (content === undefined) return span;
  const attributes = { ...span.attributes, ...content };
  return new Proxy(span, {
    get: (target, key) => (key === 'attributes' ? attributes : Reflect.get(target, key, target)),
  });
}

interface Recorder {
  readonly memory: MemoryCollector;
  readonly recordings: Recordings;
  readonly instrumented: readonly string[];
}

function processorOf(recordings: Recordings): SpanProcessor {
  return {
    onStart: (span, parentContext) => recordings.onStart(span, parentContext),
    onEnd: (span) => recordings.onEnd(withHelperContent(span)),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

async function record<Value>(
  { memory, recordings, instrumented }: Recorder,
  fn: () => Value | Promise<Value>,
  { keepError = false }: RecordOptions = {},
): Promise<RecordedRun<Value>> {
  const recording = new Recording();
  recordings.begin(recording);
  let value: Value | undefined;
  let error: unknown;
  try {
    value = await context.with(context.active().setValue(recordingKey, recording), fn);
  } catch (thrown) {
    if (!keepError) throw thrown;
    error = thrown;
  } finally {
    // A span may be ended in the turn after the one that settled the promise (open-telemetry/opentelemetry-js#5602).
    await new Promise((resolve) => setImmediate(resolve));
    recordings.end(recording);
  }
  const traces = await collectedTraces(memory, [...recording.traceIds]);
  const [run] = readRuns(traces, { oneRun: true, instrumented });
  return recordedRun({
    run: run ?? new AgentRun({ traces: [], runId: null, boundary: 'user' }),
    traces,
    source: { kind: 'memory', acceptsSettled: false },
    value: value as Value,
    error,
    open: [...recording.open.values()].map(strayOf),
    others: recording.others,
  });
}

async function collectedTraces(memory: MemoryCollector, traceIds: readonly string[]): Promise<CollectedTrace[]> {
  const traces: CollectedTrace[] = [];
  const collection = await memory.collect({ traceIds });
  for await (const group of collection.groups()) traces.push(...group);
  memory.reset(traceIds);
  return traces;
}
