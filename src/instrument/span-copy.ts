import type { Attributes, HrTime, Link, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api';
import type { ReadableSpan, ResourceLike, ScopeLike, TimedEvent } from './sdk-shapes.ts';

/** What of a span may leave. */
export interface Passing {
  readonly name: string;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
  readonly events: TimedEvent[];
  readonly links: Link[];
  readonly resource: ResourceLike;
  readonly instrumentationScope: ScopeLike;
  readonly context: SpanContext;
}

/** A span as exporters read it, apart from the span that the app and other processors share. */
export class SpanCopy implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly links: Link[];
  readonly events: TimedEvent[];
  readonly duration: HrTime;
  readonly ended: boolean;
  readonly resource: ResourceLike;
  readonly instrumentationScope: ScopeLike;
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
  readonly _spanContext: SpanContext;

  constructor(span: ReadableSpan, passing: Passing) {
    this.name = passing.name;
    this.kind = span.kind;
    const parent = span.parentSpanContext;
    if (parent !== undefined) this.parentSpanContext = withoutState(parent);
    this.startTime = span.startTime;
    this.endTime = span.endTime;
    this.status = passing.status;
    this.attributes = passing.attributes;
    this.links = passing.links;
    this.events = passing.events;
    this.duration = span.duration;
    this.ended = span.ended;
    this.resource = passing.resource;
    this.instrumentationScope = passing.instrumentationScope;
    this.droppedAttributesCount = span.droppedAttributesCount;
    this.droppedEventsCount = span.droppedEventsCount;
    this.droppedLinksCount = span.droppedLinksCount;
    this._spanContext = passing.context;
  }

  spanContext(): SpanContext {
    return this._spanContext;
  }
}

/** Ids and flags; trace state is text of vendors and of whoever called. */
export function withoutState(context: SpanContext): SpanContext {
  if (context.traceState === undefined) return context;
  const { traceId, spanId, traceFlags, isRemote } = context;
  return isRemote === undefined ? { traceId, spanId, traceFlags } : { traceId, spanId, traceFlags, isRemote };
}
