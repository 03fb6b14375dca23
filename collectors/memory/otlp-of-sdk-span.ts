import type { HrTime, SdkEvent, SdkLink, SdkScope, SdkSpan, SdkSpanContext } from './sdk-span.ts';

/** A span as the SDK's exporter would write it in OTLP/JSON, so that it is read by the same rules. */
export function otlpOfSdkSpan(span: SdkSpan): object {
  const context = span.spanContext();
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? span.parentSpanId,
    traceState: context.traceState?.serialize(),
    name: span.name,
    // The API has no kind for "unspecified" and begins with "internal".
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: span.ended ? nanoseconds(span.endTime) : 0n,
    attributes: keyValues(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    events: span.events.map(eventOf),
    droppedEventsCount: span.droppedEventsCount,
    links: span.links.map(linkOf),
    droppedLinksCount: span.droppedLinksCount,
    status: { code: span.status.code, message: span.status.message },
    flags: flagsOf(context.traceFlags, span.parentSpanContext),
  };
}

export function otlpOfSdkScope({ name, version, attributes, droppedAttributesCount }: SdkScope): object {
  return { name, version, attributes: keyValues(attributes), droppedAttributesCount };
}

function eventOf({ name, time, attributes, droppedAttributesCount }: SdkEvent): object {
  return { name, timeUnixNano: nanoseconds(time), attributes: keyValues(attributes), droppedAttributesCount };
}

function linkOf({ context, attributes, droppedAttributesCount }: SdkLink): object {
  const { traceId, spanId, traceFlags, traceState } = context;
  return {
    traceId,
    spanId,
    traceState: traceState?.serialize(),
    attributes: keyValues(attributes),
    droppedAttributesCount,
    flags: flagsOf(traceFlags, context),
  };
}

/** W3C flags, "it is known whether the parent is remote", and whether it is. */
function flagsOf(traceFlags: number, parent: SdkSpanContext | undefined): number {
  return (traceFlags & 0xff) | 0x100 | (parent?.isRemote ? 0x200 : 0);
}

function nanoseconds([seconds, nanos]: HrTime): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
}

export function keyValues(attributes: object | undefined): object[] {
  return Object.entries(attributes ?? {}).map(([key, value]) => ({ key, value: anyValue(value, 0) }));
}

function anyValue(value: unknown, depth: number): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'bigint':
      return { intValue: value };
    case 'number':
      if (!Number.isInteger(value)) return { doubleValue: value };
      // Beyond 2^53 the digits that JSON would hold.
      return { intValue: Number.isSafeInteger(value) ? value : String(value) };
    default:
      return typeof value === 'object' && value !== null ? nestedValue(value, depth + 1) : {};
  }
}

/** A cycle would never end; the reader refuses values of more than 100 levels anyway. */
const deepest = 101;

function nestedValue(value: object, depth: number): object {
  if (depth > deepest) return {};
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => anyValue(item, depth)) } };
  const pairs = Object.entries(value).map(([key, member]) => ({ key, value: anyValue(member, depth) }));
  return { kvlistValue: { values: pairs } };
}
