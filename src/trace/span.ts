import type { Attributes } from './attributes.ts';

export type SpanKind = 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type StatusCode = 'unset' | 'ok' | 'error';

export interface SpanStatus {
  readonly code: StatusCode;
  /** Empty when absent. Content: never shown in a report. */
  readonly message: string;
}

export interface SpanEvent {
  /** `0n` when the event is untimed; untimed events stand last. */
  readonly timeUnixNano: bigint;
  readonly name: string;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

export interface SpanLink {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  readonly traceState: string;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
  readonly flags: number;
}

export interface Resource {
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

export interface Scope {
  readonly name: string;
  readonly version: string;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

/** One span as it was exported. Nothing in it is guessed. */
export interface Span {
  /** 32 lower-case hex digits (a source without hex ids keeps its own). */
  readonly traceId: string;
  /** 16 lower-case hex digits (likewise). */
  readonly spanId: string;
  /** Absent for a root: no parent, an empty one, or all zeros. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startUnixNano: bigint;
  /** `undefined` when the span was exported without an end. */
  readonly endUnixNano: bigint | undefined;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  readonly resource: Resource;
  readonly scope: Scope;
  readonly traceState: string;
  /** W3C trace flags and the two remote-parent bits (0x100 known, 0x200 remote); 0 where a source loses them. */
  readonly flags: number;
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
}

/** Points at a span in a finding or a report. */
export interface SpanReference {
  readonly traceId: string;
  readonly spanId: string;
}
