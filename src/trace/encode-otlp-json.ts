import type { Attributes, AttributeValue } from './attributes.ts';
import type { LogRecord } from './log-record.ts';
import { spanKinds, statusCodes } from './otlp-enum.ts';
import { groupRows } from './otlp-groups.ts';
import type { Resource, Scope, Span, SpanEvent, SpanLink } from './span.ts';

/**
 * One `TracesData` as OTLP/JSON says it: hex ids, enumerations as numbers, 64-bit integers as decimal texts. What is
 * empty is left out. `decodeOtlpJson` reads the same spans back.
 *
 * @example
 * await writeFile('traces.jsonl', `${encodeOtlpJson(spans)}\n`);
 */
export function encodeOtlpJson(spans: Iterable<Span>): string {
  return JSON.stringify({
    resourceSpans: groupRows(spans).map(({ resource, scopes }) => ({
      resource: resourceOf(resource),
      scopeSpans: scopes.map(({ scope, rows }) => ({ scope: scopeOf(scope), spans: rows.map(spanOf) })),
    })),
  });
}

/** The same for log records: one `LogsData`. */
export function encodeOtlpLogsJson(records: Iterable<LogRecord>): string {
  return JSON.stringify({
    resourceLogs: groupRows(records).map(({ resource, scopes }) => ({
      resource: resourceOf(resource),
      scopeLogs: scopes.map(({ scope, rows }) => ({ scope: scopeOf(scope), logRecords: rows.map(recordOf) })),
    })),
  });
}

/** `JSON.stringify` leaves out what is `undefined`. */
function unless<T>(value: T, empty: T): T | undefined {
  return value === empty ? undefined : value;
}

function resourceOf(resource: Resource): object {
  return {
    attributes: attributesOf(resource.attributes),
    droppedAttributesCount: unless(resource.droppedAttributesCount, 0),
  };
}

function scopeOf(scope: Scope): object {
  return { name: unless(scope.name, ''), version: unless(scope.version, ''), ...resourceOf(scope) };
}

function spanOf(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    traceState: unless(span.traceState, ''),
    flags: unless(span.flags, 0),
    name: unless(span.name, ''),
    kind: unless(spanKinds.byNumber.indexOf(span.kind), 0),
    startTimeUnixNano: String(span.startUnixNano),
    endTimeUnixNano: span.endUnixNano === undefined ? undefined : String(span.endUnixNano),
    attributes: attributesOf(span.attributes),
    droppedAttributesCount: unless(span.droppedAttributesCount, 0),
    events: listOf(span.events, eventOf),
    droppedEventsCount: unless(span.droppedEventsCount, 0),
    links: listOf(span.links, linkOf),
    droppedLinksCount: unless(span.droppedLinksCount, 0),
    status: {
      message: unless(span.status.message, ''),
      code: unless(statusCodes.byNumber.indexOf(span.status.code), 0),
    },
  };
}

function listOf<T>(items: readonly T[], of: (item: T) => object): object[] | undefined {
  return items.length === 0 ? undefined : items.map(of);
}

function eventOf(event: SpanEvent): object {
  return {
    timeUnixNano: event.timeUnixNano === 0n ? undefined : String(event.timeUnixNano),
    name: unless(event.name, ''),
    attributes: attributesOf(event.attributes),
    droppedAttributesCount: unless(event.droppedAttributesCount, 0),
  };
}

function linkOf(link: SpanLink): object {
  return {
    traceId: link.traceId,
    spanId: link.spanId,
    traceState: unless(link.traceState, ''),
    attributes: attributesOf(link.attributes),
    droppedAttributesCount: unless(link.droppedAttributesCount, 0),
    flags: unless(link.flags, 0),
  };
}

function recordOf(record: LogRecord): object {
  const { timeUnixNano, observedTimeUnixNano } = record;
  return {
    timeUnixNano: timeUnixNano === 0n ? undefined : String(timeUnixNano),
    observedTimeUnixNano: observedTimeUnixNano === 0n ? undefined : String(observedTimeUnixNano),
    severityNumber: unless(record.severityNumber, 0),
    severityText: unless(record.severityText, ''),
    eventName: unless(record.eventName, ''),
    body: record.body === null ? undefined : anyValueOf(record.body),
    attributes: attributesOf(record.attributes),
    traceId: unless(record.traceId, ''),
    spanId: unless(record.spanId, ''),
  };
}

function attributesOf(attributes: Attributes): object[] | undefined {
  return attributes.size === 0 ? undefined : keyValuesOf(attributes);
}

function keyValuesOf(attributes: Attributes): object[] {
  return [...attributes].map(([key, value]) => ({ key, value: anyValueOf(value) }));
}

function anyValueOf(value: AttributeValue): object {
  if (value === null) return {};
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'bigint':
      return { intValue: String(value) };
    case 'number':
      return numberOf(value);
    default:
      return compositeOf(value);
  }
}

function numberOf(value: number): object {
  // JSON has no text for these, and JSON.stringify writes -0 as 0.
  if (!Number.isFinite(value)) return { doubleValue: String(value) };
  if (Object.is(value, -0)) return { doubleValue: '-0' };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function compositeOf(value: Uint8Array | readonly AttributeValue[] | Attributes): object {
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') };
  if (isList(value)) return { arrayValue: { values: value.map(anyValueOf) } };
  return { kvlistValue: { values: keyValuesOf(value) } };
}

function isList(value: readonly AttributeValue[] | Attributes): value is readonly AttributeValue[] {
  return Array.isArray(value);
}
