import { buildTrace } from '../../src/trace/build-trace.ts';
import type { Span } from '../../src/trace/span.ts';
import type { Trace } from '../../src/trace/trace.ts';

/** The trace of some rows, also of none. */
export function traceOf(spans: readonly Span[]): Trace {
  return buildTrace(spans[0]?.traceId ?? '0af7651916cd43dd8448eb211c80319c', spans);
}
