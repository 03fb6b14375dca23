import { spanKinds, statusCodes } from './otlp-enum.ts';
import { readEnum, readIdField, readText, readTime, readTimeOrNone, readUint32 } from './otlp-json-field.ts';
import { isObject, type JsonObject, kindOf, readAttributes } from './otlp-json-value.ts';
import type { OtlpReading } from './otlp-reading.ts';
import type { Resource, Scope, Span, SpanEvent, SpanLink, SpanStatus } from './span.ts';
import { noEvents, noLinks, SpanRecord, statusOf, timedFirst } from './span-record.ts';

/** One element of `spans`; `undefined` where its ids cannot be read (a problem names them). */
export function readSpan(reading: OtlpReading, row: unknown, resource: Resource, scope: Scope): Span | undefined {
  if (!isObject(row)) {
    reading.problem('bad-span', `expected an object, got ${kindOf(row)}`, '');
    return undefined;
  }
  const traceId = readTraceId(reading, row['traceId'] ?? row['trace_id']);
  const spanId = requiredId(reading, row['spanId'] ?? row['span_id'], 8, 'spanId');
  const parent = readParentId(reading, row['parentSpanId'] ?? row['parent_span_id']);
  if (traceId === undefined || spanId === undefined || parent === undefined) return undefined;
  const span = new SpanRecord();
  span.traceId = traceId;
  span.spanId = spanId;
  span.parentSpanId = parent === '' ? undefined : parent;
  span.resource = resource;
  span.scope = scope;
  readTimes(reading, row, span);
  readTexts(reading, row, span);
  readCounts(reading, row, span);
  span.attributes = readAttributes(reading, row['attributes'], 'attributes');
  span.events = readEvents(reading, row['events']);
  span.links = readLinks(reading, row['links']);
  return span;
}

/** Neighbours nearly always share the trace, and often the parent: their ids are then read once and kept once. */
function readTraceId(reading: OtlpReading, value: unknown): string | undefined {
  const { last } = reading;
  if (typeof value === 'string' && value === last.traceText) return last.traceId;
  const id = requiredId(reading, value, 16, 'traceId');
  if (typeof value === 'string' && id !== undefined) {
    last.traceText = value;
    last.traceId = reading.shared.share(id);
    return last.traceId;
  }
  return id;
}

function readParentId(reading: OtlpReading, value: unknown): string | undefined {
  if (value === undefined) return '';
  const { last } = reading;
  if (typeof value === 'string' && value === last.parentText) return last.parentId;
  const id = readIdField(reading, value, 8, 'parentSpanId');
  if (typeof value === 'string' && id !== undefined) {
    last.parentText = value;
    last.parentId = id;
  }
  return id;
}

function readTimes(reading: OtlpReading, row: JsonObject, span: SpanRecord): void {
  const start = row['startTimeUnixNano'] ?? row['start_time_unix_nano'];
  span.startUnixNano = readTime(reading, start, 'startTimeUnixNano');
  const end = row['endTimeUnixNano'] ?? row['end_time_unix_nano'];
  if (end !== undefined) span.endUnixNano = readTimeOrNone(reading, end, 'endTimeUnixNano');
}

function readTexts(reading: OtlpReading, row: JsonObject, span: SpanRecord): void {
  span.name = sharedName(reading, row['name']);
  span.kind = readEnum(reading, row['kind'], spanKinds, 'kind');
  span.status = readStatus(reading, row['status']);
  const traceState = row['traceState'] ?? row['trace_state'];
  if (traceState !== undefined) span.traceState = readText(reading, traceState, 'traceState');
}

function sharedName(reading: OtlpReading, value: unknown): string {
  const { last } = reading;
  if (value !== last.name) last.name = reading.shared.share(readText(reading, value, 'name'));
  return last.name;
}

function readCounts(reading: OtlpReading, row: JsonObject, span: SpanRecord): void {
  const { flags } = row;
  if (flags !== undefined) span.flags = readUint32(reading, flags, 'flags');
  const attributes = row['droppedAttributesCount'] ?? row['dropped_attributes_count'];
  if (attributes !== undefined) {
    span.droppedAttributesCount = readUint32(reading, attributes, 'droppedAttributesCount');
  }
  const events = row['droppedEventsCount'] ?? row['dropped_events_count'];
  if (events !== undefined) span.droppedEventsCount = readUint32(reading, events, 'droppedEventsCount');
  const links = row['droppedLinksCount'] ?? row['dropped_links_count'];
  if (links !== undefined) span.droppedLinksCount = readUint32(reading, links, 'droppedLinksCount');
}

function requiredId(reading: OtlpReading, value: unknown, byteLength: 8 | 16, field: string): string | undefined {
  const id = readIdField(reading, value, byteLength, field);
  if (id !== '') return id;
  const code = field === 'traceId' ? 'bad-trace-id' : 'bad-span-id';
  const got = value === undefined || value === null || value === '' ? 'none' : 'zeros';
  reading.problem(code, `expected ${byteLength * 2} hex digits, got ${got}`, field);
  return undefined;
}

function readDropped(reading: OtlpReading, object: JsonObject, at: string): number {
  const count = object['droppedAttributesCount'] ?? object['dropped_attributes_count'];
  return readUint32(reading, count, `${at}.droppedAttributesCount`);
}

export function readStatus(reading: OtlpReading, value: unknown): SpanStatus {
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

export function readEvents(reading: OtlpReading, value: unknown): readonly SpanEvent[] {
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
      timeUnixNano: readTime(reading, row['timeUnixNano'] ?? row['time_unix_nano'], `${at}.timeUnixNano`),
      name: reading.shared.share(readText(reading, row['name'], `${at}.name`)),
      attributes: readAttributes(reading, row['attributes'], `${at}.attributes`),
      droppedAttributesCount: readDropped(reading, row, at),
    });
  });
  return timedFirst(events);
}

export function readLinks(reading: OtlpReading, value: unknown): readonly SpanLink[] {
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
  const traceId = readIdField(reading, row['traceId'] ?? row['trace_id'], 16, `${at}.traceId`);
  const spanId = readIdField(reading, row['spanId'] ?? row['span_id'], 8, `${at}.spanId`);
  if (traceId === undefined || spanId === undefined) return undefined;
  return {
    traceId,
    spanId,
    traceState: readText(reading, row['traceState'] ?? row['trace_state'], `${at}.traceState`),
    attributes: readAttributes(reading, row['attributes'], `${at}.attributes`),
    droppedAttributesCount: readDropped(reading, row, at),
    flags: readUint32(reading, row['flags'], `${at}.flags`),
  };
}
