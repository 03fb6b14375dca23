import { parseTraceparent } from './traceparent.ts';

/**
 * Runs the work with a remote parent as the active span, by the app's own copy of the OpenTelemetry API. Without a context
 * manager (no SDK registered) the API has nowhere to keep it, and the work runs as it is.
 */
export async function withTraceContext<Result>(parent: string, work: () => Promise<Result>): Promise<Result> {
  const ids = parseTraceparent(parent);
  if (ids === undefined) return work();
  const { context, ROOT_CONTEXT, trace, TraceFlags } = await import('@opentelemetry/api');
  const spanContext = { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return context.with(trace.setSpanContext(ROOT_CONTEXT, spanContext), work);
}
