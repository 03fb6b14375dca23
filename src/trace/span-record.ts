import type { Attributes } from './attributes.ts';
import type { Resource, Scope, Span, SpanEvent, SpanKind, SpanLink, SpanStatus, StatusCode } from './span.ts';

/** A span whose members V8 keeps in one fixed layout, whatever source it came from. */
export class SpanRecord implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startUnixNano: bigint;
  readonly endUnixNano: bigint | undefined;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  readonly resource: Resource;
  readonly scope: Scope;
  readonly traceState: string;
  readonly flags: number;
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;

  constructor(from: Span) {
    this.traceId = from.traceId;
    this.spanId = from.spanId;
    this.parentSpanId = from.parentSpanId;
    this.name = from.name;
    this.kind = from.kind;
    this.startUnixNano = from.startUnixNano;
    this.endUnixNano = from.endUnixNano;
    this.status = from.status;
    this.attributes = from.attributes;
    this.events = from.events;
    this.links = from.links;
    this.resource = from.resource;
    this.scope = from.scope;
    this.traceState = from.traceState;
    this.flags = from.flags;
    this.droppedAttributesCount = from.droppedAttributesCount;
    this.droppedEventsCount = from.droppedEventsCount;
    this.droppedLinksCount = from.droppedLinksCount;
  }
}

/** Shared by the many spans that have none. */
export const noEvents: readonly SpanEvent[] = Object.freeze([]);
export const noLinks: readonly SpanLink[] = Object.freeze([]);

const bareStatus: Readonly<Record<StatusCode, SpanStatus>> = {
  unset: Object.freeze({ code: 'unset', message: '' }),
  ok: Object.freeze({ code: 'ok', message: '' }),
  error: Object.freeze({ code: 'error', message: '' }),
};

/** A status; those without a message are shared. */
export function statusOf(code: StatusCode, message: string): SpanStatus {
  return message === '' ? bareStatus[code] : { code, message };
}

/** The events as they came, those without a time last. */
export function timedFirst(events: readonly SpanEvent[]): readonly SpanEvent[] {
  if (events.every((event) => event.timeUnixNano !== 0n)) return events;
  return [
    ...events.filter((event) => event.timeUnixNano !== 0n),
    ...events.filter((event) => event.timeUnixNano === 0n),
  ];
}
