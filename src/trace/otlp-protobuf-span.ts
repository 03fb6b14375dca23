import { noAttributes } from './attribute-shape.ts';
import { spanKinds, statusCodes } from './otlp-enum.ts';
import { memberOf, readCount, readId, readParentId, readTraceId, type WireReading } from './otlp-protobuf-field.ts';
import { finishAttributes, readKeyValue, readLikelyRun } from './otlp-protobuf-value.ts';
import type { Resource, Scope, Span, SpanEvent, SpanLink, SpanStatus } from './span.ts';
import { SpanRecord, statusOf, timedFirst } from './span-record.ts';

/** A `Span` that ends at `end`; `undefined` where an id in it cannot be read (a problem names it). */
export function readSpan(wire: WireReading, end: number, resource: Resource, scope: Scope): Span | undefined {
  const { reader } = wire;
  const row: SpanRow = { span: new SpanRecord(), events: undefined, links: undefined, readable: true };
  const { span } = row;
  span.resource = resource;
  span.scope = scope;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x4a) readAttributeRun(wire, tag, end);
    else readScalar(wire, tag, end, row);
  }
  span.attributes = finishAttributes(wire.reading, wire.builder, 'attributes');
  if (row.events !== undefined) span.events = timedFirst(row.events);
  if (row.links !== undefined) span.links = row.links;
  return hasIds(wire, row) ? span : undefined;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** From behind the tag of the first. */
function readAttributeRun(wire: WireReading, tag: number, end: number): void {
  const { reader, builder } = wire;
  reader.pos -= 1;
  readLikelyRun(wire, builder, tag, end);
  if (reader.pos >= end || reader.buf[reader.pos] !== tag) return;
  reader.pos += 1;
  readKeyValue(wire, builder, reader.fieldEnd(end), 0);
}

interface SpanRow {
  readonly span: SpanRecord;
  events: SpanEvent[] | undefined;
  links: SpanLink[] | undefined;
  /** False once an id was found unreadable. */
  readable: boolean;
}

function hasIds({ reading }: WireReading, { span, readable }: SpanRow): boolean {
  if (!readable) return false;
  if (span.traceId === '') reading.problem('bad-trace-id', 'expected 32 hex digits, got none or zeros', 'traceId');
  if (span.spanId === '') reading.problem('bad-span-id', 'expected 16 hex digits, got none or zeros', 'spanId');
  return span.traceId !== '' && span.spanId !== '';
}

function keep(row: SpanRow, id: string | undefined): string {
  row.readable &&= id !== undefined;
  return id ?? '';
}

function readScalar(wire: WireReading, tag: number, end: number, row: SpanRow): void {
  const { reader, reading } = wire;
  const { span } = row;
  switch (tag) {
    case 0x0a:
      span.traceId = keep(row, readTraceId(wire, reader.fieldEnd(end)));
      return;
    case 0x12:
      span.spanId = keep(row, readId(wire, reader.fieldEnd(end), 8, 'spanId'));
      return;
    case 0x22:
      span.parentSpanId = keep(row, readParentId(wire, reader.fieldEnd(end))) || undefined;
      return;
    case 0x2a:
      span.name = reader.sharedText(reader.fieldEnd(end), reading.shared);
      return;
    case 0x30:
      span.kind = memberOf(wire, reader.int32(end), spanKinds, 'kind');
      return;
    case 0x39:
      span.startUnixNano = reader.fixed64(end);
      return;
    case 0x41:
      span.endUnixNano = reader.timeOrNone(end);
      return;
    default:
      readRareField(wire, tag, end, row);
  }
}

function readRareField(wire: WireReading, tag: number, end: number, row: SpanRow): void {
  const { reader } = wire;
  const { span } = row;
  switch (tag) {
    case 0x1a:
      span.traceState = reader.text(reader.fieldEnd(end));
      return;
    case 0x50:
      span.droppedAttributesCount = readCount(wire, end, 'droppedAttributesCount');
      return;
    case 0x5a:
      row.events ??= [];
      row.events.push(readEvent(wire, reader.fieldEnd(end), `events[${row.events.length}]`));
      return;
    case 0x60:
      span.droppedEventsCount = readCount(wire, end, 'droppedEventsCount');
      return;
    case 0x6a:
      row.links ??= [];
      readLink(wire, reader.fieldEnd(end), row.links);
      return;
    case 0x70:
      span.droppedLinksCount = readCount(wire, end, 'droppedLinksCount');
      return;
    case 0x7a:
      span.status = readStatus(wire, reader.fieldEnd(end));
      return;
    case 0x85:
      span.flags = reader.fixed32(end);
      return;
    default:
      reader.pass(tag, end);
  }
}

function readStatus(wire: WireReading, end: number): SpanStatus {
  const { reader } = wire;
  let message = '';
  let code = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x12) message = reader.text(reader.fieldEnd(end));
    else if (tag === 0x18) code = reader.int32(end);
    else reader.pass(tag, end);
  }
  return statusOf(memberOf(wire, code, statusCodes, 'status.code'), message);
}

function readEvent(wire: WireReading, end: number, at: string): SpanEvent {
  const { reader, innerBuilder } = wire;
  let timeUnixNano = 0n;
  let name = '';
  let droppedAttributesCount = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x09) timeUnixNano = reader.fixed64(end);
    else if (tag === 0x12) name = reader.sharedText(reader.fieldEnd(end), wire.reading.shared);
    else if (tag === 0x1a) readKeyValue(wire, innerBuilder, reader.fieldEnd(end), 0);
    else if (tag === 0x20) droppedAttributesCount = readCount(wire, end, `${at}.droppedAttributesCount`);
    else reader.pass(tag, end);
  }
  return {
    timeUnixNano,
    name,
    attributes: finishAttributes(wire.reading, innerBuilder, `${at}.attributes`),
    droppedAttributesCount,
  };
}

function readLink(wire: WireReading, end: number, links: SpanLink[]): void {
  const { reader, innerBuilder } = wire;
  const at = `links[${links.length}]`;
  const link: Writable<SpanLink> = {
    traceId: '',
    spanId: '',
    traceState: '',
    attributes: noAttributes,
    droppedAttributesCount: 0,
    flags: 0,
  };
  let readable = true;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x22) readKeyValue(wire, innerBuilder, reader.fieldEnd(end), 0);
    else if (tag === 0x0a || tag === 0x12) {
      const [field, byteLength] = tag === 0x0a ? (['traceId', 16] as const) : (['spanId', 8] as const);
      const id = readId(wire, reader.fieldEnd(end), byteLength, `${at}.${field}`);
      if (id === undefined) readable = false;
      else link[field] = id;
    } else readLinkScalar(wire, tag, end, link);
  }
  link.attributes = finishAttributes(wire.reading, innerBuilder, `${at}.attributes`);
  if (readable) links.push(link);
}

function readLinkScalar(wire: WireReading, tag: number, end: number, link: Writable<SpanLink>): void {
  const { reader } = wire;
  if (tag === 0x1a) link.traceState = reader.text(reader.fieldEnd(end));
  else if (tag === 0x28) link.droppedAttributesCount = readCount(wire, end, 'links.droppedAttributesCount');
  else if (tag === 0x35) link.flags = reader.fixed32(end);
  else reader.pass(tag, end);
}
