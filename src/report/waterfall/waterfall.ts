import type { Completeness } from '../../trace/completeness.ts';
import type { TreeRow } from '../tree-row.ts';

/** One trace as the HTML report draws it: plain data, no content. */
export interface Waterfall {
  readonly traceId: string;
  /** Spans of the trace; there are fewer rows where a very long one was folded. */
  readonly spans: number;
  /** Absent where only the report was at hand. */
  readonly completeness?: Completeness;
  readonly rows: readonly WaterfallRow[];
}

export interface WaterfallRow extends TreeRow {
  /** Kinds of the faults that were delivered here, or not: `timeout delivered`. */
  readonly faults: readonly string[];
  /** What a reader may want to know of the span, name and value: `scope`, `model`, `attributes`. */
  readonly facts: readonly SpanFact[];
}

export type SpanFact = readonly [name: string, value: string];
