import type { Attributes, AttributeValue } from './attributes.ts';
import type { Resource, Scope, Span, SpanEvent, SpanLink } from './span.ts';

/**
 * True where two rows say the same in every member, resource and scope included. The order of attributes does not
 * count (backends change it), the order of events and links does.
 */
export function sameSpan(a: Span, b: Span): boolean {
  return (
    a === b ||
    (sameScalars(a, b) &&
      sameAttributes(a.attributes, b.attributes) &&
      sameList(a.events, b.events, sameEvent) &&
      sameList(a.links, b.links, sameLink) &&
      sameResource(a.resource, b.resource) &&
      sameScope(a.scope, b.scope))
  );
}

const scalars = [
  'traceId',
  'spanId',
  'parentSpanId',
  'name',
  'kind',
  'startUnixNano',
  'endUnixNano',
  'traceState',
  'flags',
  'droppedAttributesCount',
  'droppedEventsCount',
  'droppedLinksCount',
] as const;

function sameScalars(a: Span, b: Span): boolean {
  return (
    scalars.every((name) => a[name] === b[name]) &&
    a.status.code === b.status.code &&
    a.status.message === b.status.message
  );
}

function sameList<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => same(item, b[i] as T)));
}

function sameEvent(a: SpanEvent, b: SpanEvent): boolean {
  return (
    a.timeUnixNano === b.timeUnixNano &&
    a.name === b.name &&
    a.droppedAttributesCount === b.droppedAttributesCount &&
    sameAttributes(a.attributes, b.attributes)
  );
}

function sameLink(a: SpanLink, b: SpanLink): boolean {
  return (
    a.traceId === b.traceId &&
    a.spanId === b.spanId &&
    a.traceState === b.traceState &&
    a.flags === b.flags &&
    a.droppedAttributesCount === b.droppedAttributesCount &&
    sameAttributes(a.attributes, b.attributes)
  );
}

function sameResource(a: Resource, b: Resource): boolean {
  return (
    a === b || (a.droppedAttributesCount === b.droppedAttributesCount && sameAttributes(a.attributes, b.attributes))
  );
}

function sameScope(a: Scope, b: Scope): boolean {
  return a === b || (a.name === b.name && a.version === b.version && sameResource(a, b));
}

/** True where two sets of attributes hold the same keys with the same values, in any order. */
export function sameAttributes(a: Attributes, b: Attributes): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !sameValue(value, other)) return false;
  }
  return true;
}

/** True where two attribute values are equal; NaN equals NaN, and 0 equals -0 (backends lose that sign). */
export function sameValue(a: AttributeValue, b: AttributeValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  }
  if (isList(a) || isList(b)) return isList(a) && isList(b) && sameList(a, b, sameValue);
  return sameAttributes(a, b);
}

function isList(value: object): value is readonly AttributeValue[] {
  return Array.isArray(value);
}
