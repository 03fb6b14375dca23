import type { LogRecord } from './log-record.ts';
import type { Span } from './span.ts';

/** Rows that share an id: `same` when their content is equal too (one span, no finding), else a conflict. */
export interface RepeatedSpan {
  readonly spanId: string;
  readonly rows: number;
  readonly same: boolean;
  /** Where the rows are different spans by name, kind or start, and more than one of these has no parent: how many. */
  readonly parentless?: number;
}

export interface OrphanSpan {
  readonly spanId: string;
  /** The parent that is named and is not here. */
  readonly parentSpanId: string;
}

/**
 * The spans of one trace id and how they hang together. Nothing is repaired: a span whose parent is missing is an
 * orphan, never a root.
 */
export interface Trace {
  readonly traceId: string;
  /** Rows as read, before de-duplication, pending rows included. */
  readonly rows: number;
  /** One per span id, in causal order: start time, then parent before child, then by id (ties are unordered). Of a conflict the last row counts. */
  readonly spans: readonly Span[];
  readonly spansById: ReadonlyMap<string, Span>;
  readonly roots: readonly Span[];
  /**
   * In causal order; empty for a leaf and for an id that is not here. A span is never its own child; inside a longer
   * cycle the children go round, so walk from roots and orphans.
   */
  childrenOf(spanId: string): readonly Span[];
  readonly orphans: readonly OrphanSpan[];
  /** Ids that came in more than one row. */
  readonly duplicates: readonly RepeatedSpan[];
  /** Each as the ids around the loop, starting from the smallest; a span that is its own parent is a cycle of one. */
  readonly cycles: readonly (readonly string[])[];
  /** Spans without an end. */
  readonly open: readonly Span[];
  /** Placeholder rows sent at a span's start (Logfire's pending spans); they are no spans. */
  readonly pendingRows: number;
  /** Ids that a pending row announced and that never came: the trace is not finished. */
  readonly unfinished: readonly string[];
  /** Records that carry this trace id, in order of time. */
  readonly logs: readonly LogRecord[];
}
