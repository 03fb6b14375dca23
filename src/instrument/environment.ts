import { type Context, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { runEnvironment, runFromOutside, runOfEnvironment, runSetIn, withRun } from './run-context.ts';

/**
 * Environment variables by which a child process goes on with this trace and this run: `TRACEPARENT`, `TRACESTATE`,
 * `OTEL_EVAL_RUN_ID`, `OTEL_EVAL_CONVERSATION_ID`. Merge them into the child's environment.
 *
 * @example
 * spawn('node', ['worker.js'], { env: { ...process.env, ...childEnvironment() } });
 */
export function childEnvironment(): Record<string, string> {
  const active = context.active();
  const out: Record<string, string> = {};
  const span = trace.getSpanContext(active);
  if (span !== undefined && trace.isSpanContextValid(span)) {
    const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0');
    out['TRACEPARENT'] = `00-${span.traceId}-${span.spanId}-${flags}`;
    const state = span.traceState?.serialize();
    if (state !== undefined && state !== '') out['TRACESTATE'] = state;
  }
  const run = runSetIn(active) ?? runFromOutside(active);
  if (run !== undefined) {
    out[runEnvironment.runId] = run.runId;
    if (run.conversationId !== undefined) out[runEnvironment.conversationId] = run.conversationId;
  }
  return out;
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * The context that a parent process handed down by its environment; pass it as parent, or run code in it. Without one
 * it is the root context.
 *
 * @example
 * context.with(contextFromEnvironment(), () => main());
 */
export function contextFromEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Context {
  let from: Context = ROOT_CONTEXT;
  const [, traceId, spanId, flags] = traceparent.exec(environment['TRACEPARENT'] ?? '') ?? [];
  if (traceId !== undefined && spanId !== undefined && flags !== undefined) {
    const traceFlags = Number.parseInt(flags, 16);
    from = trace.setSpanContext(from, { traceId, spanId, traceFlags, isRemote: true });
  }
  const run = runOfEnvironment(environment);
  return run === undefined ? from : withRun(run, from);
}

/** Baggage by which a service that is called learns the run; set it only towards services of your own. */
export function withRunInBaggage(from: Context = context.active()): Context {
  const run = runSetIn(from) ?? runFromOutside(from);
  if (run === undefined) return from;
  const baggage = propagation.getBaggage(from) ?? propagation.createBaggage();
  return propagation.setBaggage(from, baggage.setEntry('otel_eval.run.id', { value: run.runId }));
}
