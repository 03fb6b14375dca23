import type { Attributes, Context, HrTime, Link, Span, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api';

/** The parts of the SDK's types that are used here, alike in SDK 2.x and 3.x: this room imports no SDK. */
export interface TimedEvent {
  readonly time: HrTime;
  readonly name: string;
  readonly attributes?: Attributes;
  readonly droppedAttributesCount?: number;
}

export interface ResourceLike {
  readonly attributes: Attributes;
  readonly schemaUrl?: string;
  readonly asyncAttributesPending?: boolean;
  waitForAsyncAttributes?(): Promise<void>;
}

export interface ScopeLike {
  readonly name: string;
  readonly version?: string;
  readonly schemaUrl?: string;
  readonly attributes?: Attributes;
  readonly droppedAttributesCount?: number;
}

/** A span that has ended, as processors and exporters get it. */
export interface ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly spanContext: () => SpanContext;
  readonly parentSpanContext?: SpanContext | undefined;
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
}

/** A span that is running: both what an app writes to and what a processor reads. */
export type RunningSpan = Span & ReadableSpan;

/** Any `SpanProcessor` of SDK 2.x or 3.x. */
export interface SpanProcessor {
  onStart(span: RunningSpan, parentContext: Context): void;
  onEnding?(span: RunningSpan): void;
  onEnd(span: ReadableSpan): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/** Any `SpanExporter` of SDK 2.x or 3.x. */
export interface SpanExporter {
  export(spans: ReadableSpan[], done: (result: { readonly code: number; readonly error?: Error }) => void): void;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
}
