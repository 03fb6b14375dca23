import type {
  Attributes,
  AttributeValue,
  Exception,
  HrTime,
  Link,
  SpanContext,
  SpanKind,
  SpanStatus,
  TimeInput,
} from '@opentelemetry/api';
import type { ReadableSpan, ResourceLike, RunningSpan, ScopeLike, TimedEvent } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import { withoutState } from './span-context.ts';
import type { Passing, SpanCopier } from './span-copier.ts';

/**
 * A span as one output reads it, apart from the span that the app and other processors share; the same object from the
 * start of the span to its end. While the span runs it shows what could leave if the span ended now, and what a
 * processor writes to it goes to the app's span, as without us. What may leave at the end is copied when it is first
 * read: the work is done where spans are exported, not where the app ends a span, and not at all for a span that a
 * full queue drops. What may not leave cannot be reached through it.
 */
export class SpanView implements RunningSpan {
  readonly #span: ReadableSpan;
  readonly #copier: SpanCopier;
  #state: SpanState | undefined = undefined;
  /** Set when the span has ended: from then on it reads as it is exported. */
  #resource: ResourceLike | undefined = undefined;
  #passing: Passing | undefined = undefined;
  /** The view of the same span that another output has. */
  #another: SpanView | undefined = undefined;

  constructor(span: ReadableSpan, copier: SpanCopier) {
    this.#span = span;
    this.#copier = copier;
  }

  /** The span has ended: from now on it reads as it is exported. */
  static end(view: SpanView, state: SpanState | undefined): SpanView {
    view.#state = state;
    view.#resource = view.#copier.resource(view.#span);
    return view;
  }

  /** Keeps the view with the state of its span, so that an output hands on one object from start to end. */
  static keep(view: SpanView, state: SpanState): void {
    view.#another = state.view as SpanView | undefined;
    state.view = view;
  }

  /** The view that was kept for this very object: of a copy that somebody made, what the copy says counts. */
  static kept(state: SpanState, span: ReadableSpan, copier: SpanCopier): SpanView | undefined {
    let view = state.view as SpanView | undefined;
    while (view !== undefined && view.#copier !== copier) view = view.#another;
    return view !== undefined && view.#span === span ? view : undefined;
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
    return view.#resource ?? view.#copier.resource(view.#span);
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

  isRecording(): boolean {
    return SpanView.#running(this)?.isRecording() ?? false;
  }
  setAttribute(key: string, value: AttributeValue): this {
    SpanView.#running(this)?.setAttribute(key, value);
    return this;
  }
  setAttributes(attributes: Attributes): this {
    SpanView.#running(this)?.setAttributes(attributes);
    return this;
  }
  addEvent(name: string, attributesOrStartTime?: Attributes | TimeInput, startTime?: TimeInput): this {
    SpanView.#running(this)?.addEvent(name, attributesOrStartTime, startTime);
    return this;
  }
  addLink(link: Link): this {
    SpanView.#running(this)?.addLink(link);
    return this;
  }
  addLinks(links: Link[]): this {
    SpanView.#running(this)?.addLinks(links);
    return this;
  }
  setStatus(status: SpanStatus): this {
    SpanView.#running(this)?.setStatus(status);
    return this;
  }
  updateName(name: string): this {
    SpanView.#running(this)?.updateName(name);
    return this;
  }
  recordException(exception: Exception, time?: TimeInput): void {
    SpanView.#running(this)?.recordException(exception, time);
  }
  end(time?: TimeInput): void {
    SpanView.#running(this)?.end(time);
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
    if (view.#resource === undefined) return view.#copier.glimpse(view.#span);
    view.#passing ??= view.#copier.passing(view.#span, view.#state);
    return view.#passing;
  }

  /** The app's span while it can be written to. */
  static #running(reader: object): RunningSpan | undefined {
    const view = SpanView.#of(reader);
    return view.#resource === undefined ? (view.#span as RunningSpan) : undefined;
  }
}
