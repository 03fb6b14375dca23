import type { SpanContext } from '@opentelemetry/api';

/** Ids and flags; trace state is text of vendors and of whoever called. */
export function withoutState(context: SpanContext): SpanContext {
  if (context.traceState === undefined) return context;
  const { traceId, spanId, traceFlags, isRemote } = context;
  return isRemote === undefined ? { traceId, spanId, traceFlags } : { traceId, spanId, traceFlags, isRemote };
}
