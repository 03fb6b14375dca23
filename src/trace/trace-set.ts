import type { Completeness, SourceFacts } from './completeness.ts';
import type { LogRecord } from './log-record.ts';
import type { Trace } from './trace.ts';

/** Something in an input that could not be read as it should: never dropped in silence, never content. */
export interface InputProblem {
  /** Kebab-case, as `bad-trace-id`. */
  readonly code: string;
  /** One sentence: expected, got. */
  readonly message: string;
  /** Where: `line 3, resourceSpans[0].scopeSpans[0].spans[1].traceId`. */
  readonly at: string;
}

/** One file, body or answer, and what was found in it. */
export interface InputReading {
  /** Path, address or `stdin`; without credentials. */
  readonly input: string;
  /** The form that was recognised, as `otlp-json-lines`. */
  readonly format: string;
  /** Span rows with valid ids. */
  readonly rows: number;
  /** Distinct spans among them. */
  readonly spans: number;
  readonly problems: readonly InputProblem[];
}

export type SourceKind = 'memory' | 'file' | 'otlp' | 'tempo' | 'jaeger';

export interface CollectedTrace {
  readonly trace: Trace;
  readonly facts: SourceFacts;
  readonly completeness: Completeness;
  /**
   * It was handed over before, alone; since then another trace of its run was found, and the run comes again, whole. What
   * was made of it earlier counts no longer. Only where a collector was asked for traces early.
   */
  readonly replaces?: true;
}

/**
 * What a collector hands over. `groups` yields each trace once, whole, as soon as the source has ended it; traces that
 * share a run id come in one group, so a group can be judged and dropped. `inputs` and `looseLogs` are whole only after
 * `groups` has been read to its end.
 */
export interface Collection {
  readonly source: { readonly kind: SourceKind; readonly address: string };
  groups(): AsyncIterable<readonly CollectedTrace[]>;
  inputs(): readonly InputReading[];
  /** Records without a trace id. */
  looseLogs(): readonly LogRecord[];
}

/** One place traces come from. Options are given to its factory; `close` may be called twice. */
export interface Collector {
  collect(signal?: AbortSignal): Promise<Collection>;
  close(): Promise<void>;
}
