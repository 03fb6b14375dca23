import type { Span } from './span.ts';

/**
 * Logfire sends a placeholder when a span starts: a row of its own, marked `logfire.span_type` = `pending_span`, whose
 * parent is the span that it announces.
 */
function isPending(row: Span): boolean {
  return row.attributes.get('logfire.span_type') === 'pending_span';
}

export interface RealRows {
  readonly real: readonly Span[];
  readonly pendingRows: number;
  /** Announced spans that never came, in order of appearance. */
  readonly unfinished: readonly string[];
}

/** The rows that are spans, and which announced ones are missing. */
export function withoutPending(rows: readonly Span[]): RealRows {
  if (!rows.some(isPending)) return { real: rows, pendingRows: 0, unfinished: [] };
  const real = rows.filter((row) => !isPending(row));
  const here = new Set(real.map((row) => row.spanId));
  const announced = new Set(rows.filter(isPending).map((row) => row.parentSpanId ?? row.spanId));
  return {
    real,
    pendingRows: rows.length - real.length,
    unfinished: [...announced].filter((spanId) => !here.has(spanId)),
  };
}
