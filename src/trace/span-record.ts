import { noAttributes } from './attribute-shape.ts';
import type { Attributes } from './attributes.ts';
import type { Resource, Scope, Span, SpanEvent, SpanKind, SpanLink, SpanStatus, StatusCode } from './span.ts';
import { inspectSymbol, spanText } from './span-text.ts';

/** Shared by the many spans that have none. */
export const noEvents: readonly SpanEvent[] = Object.freeze([]);
export const noLinks: readonly SpanLink[] = Object.freeze([]);
export const noResource: Resource = Object.freeze({ attributes: noAttributes, droppedAttributesCount: 0 });
export const noScope: Scope = Object.freeze({
  name: '',
  version: '',
  attributes: noAttributes,
  droppedAttributesCount: 0,
});

const bareStatus: Readonly<Record<StatusCode, SpanStatus>> = {
  unset: Object.freeze({ code: 'unset', message: '' }),
  ok: Object.freeze({ code: 'ok', message: '' }),
  error: Object.freeze({ code: 'error', message: '' }),
};

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * A span whose members V8 keeps in one fixed layout, whatever source it came from. A decoder makes a blank one and fills
 * it in: a constructor with eighteen arguments would be unreadable, one that copies an object costs that object.
 */
export class SpanRecord implements Writable<Span> {
  traceId = '';
  spanId = '';
  parentSpanId: string | undefined = undefined;
  name = '';
  kind: SpanKind = 'unspecified';
  startUnixNano = 0n;
  endUnixNano: bigint | undefined = undefined;
  status: SpanStatus = bareStatus.unset;
  attributes: Attributes = noAttributes;
  events: readonly SpanEvent[] = noEvents;
  links: readonly SpanLink[] = noLinks;
  resource: Resource = noResource;
  scope: Scope = noScope;
  traceState = '';
  flags = 0;
  droppedAttributesCount = 0;
  droppedEventsCount = 0;
  droppedLinksCount = 0;

  /** A span from its members, or a copy of a span with some changed. */
  static of(members: Partial<Span>): SpanRecord {
    return Object.assign(new SpanRecord(), members);
  }
}

Object.defineProperty(SpanRecord.prototype, inspectSymbol, {
  value(this: SpanRecord): string {
    return `Span ${spanText(this)}`;
  },
});

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
