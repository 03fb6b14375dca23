import type { CollectedTrace, InputReading } from '../trace/trace-set.ts';

/** One trace as `otel-eval/view/v1` shows it: ids and counts, no content. Key order is fixed. */
export interface TraceView {
  readonly traceId: string;
  /** Rows as read, before de-duplication. */
  readonly rows: number;
  readonly spans: number;
  readonly roots: readonly string[];
  readonly orphans: readonly { readonly spanId: string; readonly parentSpanId: string }[];
  readonly duplicates: readonly { readonly spanId: string; readonly rows: number; readonly same: boolean }[];
  readonly cycles: readonly (readonly string[])[];
  /** Spans without an end. */
  readonly open: readonly string[];
  /** Spans with status ERROR. */
  readonly errors: readonly string[];
  readonly completeness: {
    readonly state: string;
    readonly reasons: readonly string[];
    readonly expectedSpans: number | null;
  };
}

export function traceView({ trace, completeness }: CollectedTrace): TraceView {
  return {
    traceId: trace.traceId,
    rows: trace.rows,
    spans: trace.spans.length,
    roots: trace.roots.map(({ spanId }) => spanId),
    orphans: trace.orphans.map(({ spanId, parentSpanId }) => ({ spanId, parentSpanId })),
    duplicates: trace.duplicates.map(({ spanId, rows, same }) => ({ spanId, rows, same })),
    cycles: trace.cycles,
    open: trace.open.map(({ spanId }) => spanId),
    errors: trace.spans.filter(({ status }) => status.code === 'error').map(({ spanId }) => spanId),
    completeness: {
      state: completeness.state,
      reasons: completeness.reasons,
      expectedSpans: completeness.expectedSpans,
    },
  };
}

/** One input as `otel-eval/view/v1` shows it. */
export function inputView({ input, format, rows, spans, problems }: InputReading): InputReading {
  return {
    input,
    format,
    rows,
    spans,
    problems: problems.map(({ code, message, at }) => ({ code, message, at })),
  };
}
