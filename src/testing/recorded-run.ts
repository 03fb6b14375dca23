import { inspect } from 'node:util';
import type { Run } from '../agent/run.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';

/** A span that was not ended, or that ended only after its recording was over. Names and ids, no content. */
export interface StraySpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  /** The recording it started in, by its `name` or where it was made (`support.test.ts:12`); `null` where in none. */
  readonly recording: string | null;
}

/** A run, and its traces with what is known of them. */
export interface RunEvidence {
  readonly run: Run;
  readonly traces: readonly CollectedTrace[];
}

/** What one recording saw: the subject of every matcher and of `assertTrace`. */
export interface RecordedRun<Value = unknown> extends RunEvidence {
  /** The same without what helpers of `otel-eval/instrument` keep beside a span for tests, and off it. */
  readonly onSpans: RunEvidence;
  /** Where the spans came from: `memory`, or the backend that `collectTrace` read. */
  readonly source: CollectedSource;
  /** What the function returned; `undefined` for a trace that was collected. */
  readonly value: Value;
  /** What the function threw, where the recording was told to keep it. */
  readonly error: unknown;
  /** Spans of this recording that had not ended when it was over. */
  readonly open: readonly StraySpan[];
  /** Spans that ended during the recording and belong to no recording: of other tests, or of code outside. */
  readonly others: readonly StraySpan[];
}

export interface CollectedSource {
  readonly kind: 'memory' | 'file' | 'otlp' | 'tempo' | 'jaeger';
  readonly acceptsSettled: boolean;
  /** The top span was called from outside. */
  readonly remoteRoot: boolean;
  /** Names of spans below the one parent that the program never ends. */
  readonly absentParentOf?: readonly string[];
}

const brand = Symbol.for('otel-eval.recorded-run');

/** Marks a run as a recorded one, also for another copy of this package, and prints it as its trace. */
export function recordedRun<Value>(data: RecordedRun<Value>): RecordedRun<Value> {
  Object.defineProperty(data, brand, { value: true });
  Object.defineProperty(data, inspect.custom, {
    value: () => `RecordedRun ${inspect(data.traces.map(({ trace }) => trace))}`,
  });
  return data;
}

export function isRecordedRun(value: unknown): value is RecordedRun {
  return typeof value === 'object' && value !== null && brand in value;
}
