import type { Span } from '../../src/trace/span.ts';
import type { Trace } from '../../src/trace/trace.ts';

/** Just enough of a trace for tests of completeness: distinct ids, no cycles. */
export function traceOf(spans: readonly Span[]): Trace {
  const spansById = new Map(spans.map((span) => [span.spanId, span]));
  const orphans = spans
    .filter(({ parentSpanId }) => parentSpanId !== undefined && !spansById.has(parentSpanId))
    .map(({ spanId, parentSpanId = '' }) => ({ spanId, parentSpanId }));
  return {
    traceId: spans[0]?.traceId ?? '0af7651916cd43dd8448eb211c80319c',
    rows: spans.length,
    spans,
    spansById,
    roots: spans.filter(({ parentSpanId }) => parentSpanId === undefined),
    childrenOf: (spanId) => spans.filter(({ parentSpanId }) => parentSpanId === spanId),
    orphans,
    duplicates: [],
    cycles: [],
    open: spans.filter(({ endUnixNano }) => endUnixNano === undefined),
    pendingRows: 0,
    logs: [],
  };
}
