import type { AttributeMap } from './attributes.ts';
import type { LogRecord } from './log-record.ts';
import { type EnumNames, member, readEnum, readIdField, readText, readTime, readUint32 } from './otlp-json-field.ts';
import { isObject, type JsonObject, kindOf, readAnyValue, readAttributes } from './otlp-json-value.ts';
import type { OtlpReading } from './otlp-reading.ts';
import type { Resource, Scope, Span, SpanEvent, SpanKind, SpanLink, SpanStatus, StatusCode } from './span.ts';
import { noEvents, noLinks, SpanRecord, statusOf, timedFirst } from './span-record.ts';

export const spanKinds: EnumNames<SpanKind> = {
  what: 'kind',
  prefix: 'SPAN_KIND_',
  byNumber: ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'],
};

export const statusCodes: EnumNames<StatusCode> = {
  what: 'status',
  prefix: 'STATUS_CODE_',
  byNumber: ['unset', 'ok', 'error'],
};

/** One element of `spans`; `undefined` where its ids cannot be read (a problem names them). */
export function readSpan(reading: OtlpReading, row: unknown, resource: Resource, scope: Scope): Span | undefined {
  if (!isObject(row)) {
    reading.problem('bad-span', `expected an object, got ${kindOf(row)}`, '');
    return undefined;
  }
  const traceId = requiredId(reading, member(row, 'traceId', 'trace_id'), 16, 'traceId');
  const spanId = requiredId(reading, member(row, 'spanId', 'span_id'), 8, 'spanId');
  const parent = readIdField(reading, member(row, 'parentSpanId', 'parent_span_id'), 8, 'parentSpanId');
  if (traceId === undefined || spanId === undefined || parent === undefined) return undefined;
  const end = readTime(reading, member(row, 'endTimeUnixNano', 'end_time_unix_nano'), 'endTimeUnixNano');
  return new SpanRecord({
    traceId: reading.shared.share(traceId),
    spanId,
    parentSpanId: parent === '' ? undefined : parent,
    name: reading.shared.share(readText(reading, row['name'], 'name')),
    kind: readEnum(reading, row['kind'], spanKinds, 'kind'),
    startUnixNano: readTime(reading, member(row, 'startTimeUnixNano', 'start_time_unix_nano'), 'startTimeUnixNano'),
    endUnixNano: end === 0n ? undefined : end,
    status: readStatus(reading, row['status']),
    attributes: readAttributes(reading, row['attributes'], 'attributes'),
    events: readEvents(reading, row['events']),
    links: readLinks(reading, row['links']),
    resource,
    scope,
    traceState: readText(reading, member(row, 'traceState', 'trace_state'), 'traceState'),
    flags: readUint32(reading, row['flags'], 'flags'),
    droppedAttributesCount: readDropped(reading, row, 'Attributes'),
    droppedEventsCount: readDropped(reading, row, 'Events'),
    droppedLinksCount: readDropped(reading, row, 'Links'),
  });
}

function requiredId(reading: OtlpReading, value: unknown, byteLength: 8 | 16, field: string): string | undefined {
  const id = readIdField(reading, value, byteLength, field);
  if (id !== '') return id;
  const code = field === 'traceId' ? 'bad-trace-id' : 'bad-span-id';
  const got = value === undefined || value === null || value === '' ? 'none' : 'zeros';
  reading.problem(code, `expected ${byteLength * 2} hex digits, got ${got}`, field);
  return undefined;
}

function readDropped(
  reading: OtlpReading,
  object: JsonObject,
  what: 'Attributes' | 'Events' | 'Links',
  at = '',
): number {
  const value = member(object, `dropped${what}Count`, `dropped_${what.toLowerCase()}_count`);
  return readUint32(reading, value, `${at}dropped${what}Count`);
}

function readStatus(reading: OtlpReading, value: unknown): SpanStatus {
  if (value === undefined || value === null) return statusOf('unset', '');
  if (!isObject(value)) {
    reading.problem('bad-status', `expected an object, got ${kindOf(value)}; read as unset`, 'status');
    return statusOf('unset', '');
  }
  const code = readEnum(reading, value['code'], statusCodes, 'status.code');
  return statusOf(code, readText(reading, value['message'], 'status.message'));
}

function listOf(reading: OtlpReading, value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  reading.problem('bad-list', `expected a list, got ${kindOf(value)}`, field);
  return [];
}

function readEvents(reading: OtlpReading, value: unknown): readonly SpanEvent[] {
  const rows = listOf(reading, value, 'events');
  if (rows.length === 0) return noEvents;
  const events: SpanEvent[] = [];
  rows.forEach((row, i) => {
    const at = `events[${i}]`;
    if (!isObject(row)) {
      reading.problem('bad-event', `expected an object, got ${kindOf(row)}`, at);
      return;
    }
    events.push({
      timeUnixNano: readTime(reading, member(row, 'timeUnixNano', 'time_unix_nano'), `${at}.timeUnixNano`),
      name: reading.shared.share(readText(reading, row['name'], `${at}.name`)),
      attributes: readAttributes(reading, row['attributes'], `${at}.attributes`),
      droppedAttributesCount: readDropped(reading, row, 'Attributes', `${at}.`),
    });
  });
  return timedFirst(events);
}

function readLinks(reading: OtlpReading, value: unknown): readonly SpanLink[] {
  const rows = listOf(reading, value, 'links');
  if (rows.length === 0) return noLinks;
  return rows.flatMap((row, i) => {
    const link = readLink(reading, row, `links[${i}]`);
    return link === undefined ? [] : [link];
  });
}

function readLink(reading: OtlpReading, row: unknown, at: string): SpanLink | undefined {
  if (!isObject(row)) {
    reading.problem('bad-link', `expected an object, got ${kindOf(row)}`, at);
    return undefined;
  }
  const traceId = readIdField(reading, member(row, 'traceId', 'trace_id'), 16, `${at}.traceId`);
  const spanId = readIdField(reading, member(row, 'spanId', 'span_id'), 8, `${at}.spanId`);
  if (traceId === undefined || spanId === undefined) return undefined;
  return {
    traceId,
    spanId,
    traceState: readText(reading, member(row, 'traceState', 'trace_state'), `${at}.traceState`),
    attributes: readAttributes(reading, row['attributes'], `${at}.attributes`),
    droppedAttributesCount: readDropped(reading, row, 'Attributes', `${at}.`),
    flags: readUint32(reading, row['flags'], `${at}.flags`),
  };
}

/** One element of `logRecords`; `undefined` where an id in it cannot be read (a problem names it). */
export function readLogRecord(
  reading: OtlpReading,
  row: unknown,
  resource: Resource,
  scope: Scope,
): LogRecord | undefined {
  if (!isObject(row)) {
    reading.problem('bad-log-record', `expected an object, got ${kindOf(row)}`, '');
    return undefined;
  }
  const traceId = readIdField(reading, member(row, 'traceId', 'trace_id'), 16, 'traceId');
  const spanId = readIdField(reading, member(row, 'spanId', 'span_id'), 8, 'spanId');
  if (traceId === undefined || spanId === undefined) return undefined;
  const attributes = readAttributes(reading, row['attributes'], 'attributes');
  const observed = member(row, 'observedTimeUnixNano', 'observed_time_unix_nano');
  const eventName = readText(reading, member(row, 'eventName', 'event_name'), 'eventName');
  return {
    traceId: reading.shared.share(traceId),
    spanId,
    timeUnixNano: readTime(reading, member(row, 'timeUnixNano', 'time_unix_nano'), 'timeUnixNano'),
    observedTimeUnixNano: readTime(reading, observed, 'observedTimeUnixNano'),
    eventName: reading.shared.share(eventName === '' ? eventNameOf(attributes) : eventName),
    severityNumber: readSeverity(reading, member(row, 'severityNumber', 'severity_number')),
    severityText: reading.shared.share(readText(reading, member(row, 'severityText', 'severity_text'), 'severityText')),
    body: readAnyValue(reading, row['body'], 'body', 0),
    attributes,
    resource,
    scope,
  };
}

/** Before records had a field for it, the name of an event stood in an attribute. */
export function eventNameOf(attributes: AttributeMap): string {
  const name = attributes.get('event.name');
  return typeof name === 'string' ? name : '';
}

const severities = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** `9`, `"9"`, `"SEVERITY_NUMBER_INFO"`, `"INFO2"`. */
function readSeverity(reading: OtlpReading, value: unknown): number {
  const named = typeof value === 'string' ? /^(?:SEVERITY_NUMBER_)?([A-Z]+)([234]?)$/.exec(value) : null;
  if (named === null) return readUint32(reading, value, 'severityNumber');
  const [, name = '', step] = named;
  if (name === 'UNSPECIFIED') return 0;
  const family = severities.indexOf(name);
  if (family >= 0) return family * 4 + (step ? Number(step) : 1);
  reading.problem('unknown-severity', 'expected a severity that OTLP knows; read as 0', 'severityNumber');
  return 0;
}
