/**
 * What is used of a span of the JavaScript SDK. SDK 2 and later give `instrumentationScope` and `parentSpanContext`,
 * SDK 1 `instrumentationLibrary` and `parentSpanId`.
 */
export interface SdkSpan {
  readonly name: string;
  /** As the API numbers kinds: 0 is internal. */
  readonly kind: number;
  spanContext(): SdkSpanContext;
  readonly parentSpanContext?: SdkSpanContext | undefined;
  readonly parentSpanId?: string | undefined;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly ended: boolean;
  readonly status: { readonly code: number; readonly message?: string | undefined };
  readonly attributes: object;
  readonly links: readonly SdkLink[];
  readonly events: readonly SdkEvent[];
  readonly resource: SdkResource;
  readonly instrumentationScope?: SdkScope;
  readonly instrumentationLibrary?: SdkScope;
  readonly droppedAttributesCount?: number;
  readonly droppedEventsCount?: number;
  readonly droppedLinksCount?: number;
}

/** Seconds and nanoseconds. */
export type HrTime = readonly [number, number];

export interface SdkSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean | undefined;
  readonly traceState?: { serialize(): string } | undefined;
}

export interface SdkLink {
  readonly context: SdkSpanContext;
  readonly attributes?: object | undefined;
  readonly droppedAttributesCount?: number | undefined;
}

export interface SdkEvent {
  readonly name: string;
  readonly time: HrTime;
  readonly attributes?: object | undefined;
  readonly droppedAttributesCount?: number | undefined;
}

export interface SdkResource {
  readonly attributes: object;
  readonly asyncAttributesPending?: boolean;
  waitForAsyncAttributes?(): Promise<void>;
}

export interface SdkScope {
  readonly name: string;
  readonly version?: string | undefined;
  readonly attributes?: object | undefined;
  readonly droppedAttributesCount?: number | undefined;
}

/** The methods that the SDK calls on an exporter. */
export interface SdkSpanExporter {
  export(spans: readonly SdkSpan[], done: (result: { code: number }) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/** The methods that the SDK calls on a processor. */
export interface SdkSpanProcessor {
  onStart(span: SdkSpan): void;
  onEnd(span: SdkSpan): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}
