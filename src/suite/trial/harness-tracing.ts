import {
  type Attributes,
  type Context,
  type Link,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Where the harness writes spans of its own work. The parent is passed along: a target in this process may set what is active. */
export interface HarnessTracing {
  readonly tracer: Tracer;
  readonly parent: Context;
}

export interface PhaseStart {
  /** As `otel_eval drive`. */
  readonly name: string;
  readonly attributes?: Attributes;
  readonly links?: Link[];
}

/** Does a part of the harness's work in a span; without tracing it is only done. A phase that throws has status ERROR. */
export async function inPhase<Result>(
  tracing: HarnessTracing | undefined,
  { name, ...start }: PhaseStart,
  work: (inside: HarnessTracing | undefined, span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return work(undefined, undefined);
  const { tracer, parent } = tracing;
  const span = tracer.startSpan(name, start, parent);
  try {
    return await work({ tracer, parent: trace.setSpan(parent, span) }, span);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
