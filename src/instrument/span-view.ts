import type { Attributes, HrTime, Link, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api';
import type { ReadableSpan, ResourceLike, ScopeLike, TimedEvent } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';

/** What of a span may leave. */
export interface Passing {
  readonly name: string;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
  readonly events: TimedEvent[];
  readonly links: Link[];
  readonly scope: ScopeLike;
}

/** Decides what of a span may leave through one output. Never throws. */
export interface Copier {
  passing(span: ReadableSpan, state: SpanState | undefined): Passing;
  resource(span: ReadableSpan): ResourceLike;
}

/**
 * A span as exporters read it, apart from the span that the app and other processors share. What may leave is copied
 * when it is first read: the work is done where spans are exported, not where the app ends a span, and not at all for
 * a span that a full queue drops. The shared span cannot be reached through it.
 */
export class SpanView implements ReadableSpan {
  readonly #span: ReadableSpan;
  readonly #state: SpanState | undefined;
  readonly #copier: Copier;
  #passing: Passing | undefined = undefined;

  constructor(span: ReadableSpan, state: SpanState | undefined, copier: Copier) {
    this.#span = span;
    this.#state = state;
    this.#copier = copier;
  }

  get name(): string {
    return SpanView.#passingOf(this).name;
  }
  get attributes(): Attributes {
    return SpanView.#passingOf(this).attributes;
  }
  get status(): SpanStatus {
    return SpanView.#passingOf(this).status;
  }
  get events(): TimedEvent[] {
    return SpanView.#passingOf(this).events;
  }
  get links(): Link[] {
    return SpanView.#passingOf(this).links;
  }
  get instrumentationScope(): ScopeLike {
    return SpanView.#passingOf(this).scope;
  }
  get resource(): ResourceLike {
    const view = SpanView.#of(this);
    return view.#copier.resource(view.#span);
  }
  get kind(): SpanKind {
    return SpanView.#of(this).#span.kind;
  }
  get parentSpanContext(): SpanContext | undefined {
    const parent = SpanView.#of(this).#span.parentSpanContext;
    return parent === undefined ? undefined : withoutState(parent);
  }
  get startTime(): HrTime {
    return SpanView.#of(this).#span.startTime;
  }
  get endTime(): HrTime {
    return SpanView.#of(this).#span.endTime;
  }
  get duration(): HrTime {
    return SpanView.#of(this).#span.duration;
  }
  get ended(): boolean {
    return SpanView.#of(this).#span.ended;
  }
  get droppedAttributesCount(): number {
    return SpanView.#of(this).#span.droppedAttributesCount;
  }
  get droppedEventsCount(): number {
    return SpanView.#of(this).#span.droppedEventsCount;
  }
  get droppedLinksCount(): number {
    return SpanView.#of(this).#span.droppedLinksCount;
  }

  spanContext(): SpanContext {
    return withoutState(SpanView.#of(this).#span.spanContext());
  }

  /** Exporters that wrap spans do so with `Object.create(span)`: the view is then a prototype of what is read. */
  static #of(reader: object): SpanView {
    let view: object | null = reader;
    while (view !== null) {
      if (#span in view) return view;
      view = Object.getPrototypeOf(view);
    }
    throw new TypeError('otel-eval: not a span');
  }

  static #passingOf(reader: object): Passing {
    const view = SpanView.#of(reader);
    view.#passing ??= view.#copier.passing(view.#span, view.#state);
    return view.#passing;
  }
}

/** Ids and flags; trace state is text of vendors and of whoever called. */
export function withoutState(context: SpanContext): SpanContext {
  if (context.traceState === undefined) return context;
  const { traceId, spanId, traceFlags, isRemote } = context;
  return isRemote === undefined ? { traceId, spanId, traceFlags } : { traceId, spanId, traceFlags, isRemote };
}
