import type { Attributes, AttributeValue } from './attributes.ts';
import type { LogRecord } from './log-record.ts';
import { spanKinds, statusCodes } from './otlp-enum.ts';
import { groupRows, type ResourceGroup, type ScopeGroup } from './otlp-groups.ts';
import type { Resource, Scope, Span, SpanEvent, SpanLink, SpanStatus } from './span.ts';
import { WireWriter } from './wire-writer.ts';

/**
 * One `TracesData`, which is also an `ExportTraceServiceRequest`. `decodeOtlpProtobuf` reads the same spans back. Throws
 * an `OtelEvalError` for ids that are not hex and integers beyond 64 bits, which protobuf cannot hold.
 */
export function encodeOtlpProtobuf(spans: Iterable<Span>): Uint8Array {
  return encode(groupRows(spans), writeSpan);
}

/** The same for log records: one `LogsData`. */
export function encodeOtlpLogsProtobuf(records: Iterable<LogRecord>): Uint8Array {
  return encode(groupRows(records), writeRecord);
}

type Write<T> = (value: T, writer: WireWriter) => void;

function encode<T>(groups: readonly ResourceGroup<T>[], writeRow: Write<T>): Uint8Array {
  const writer = new WireWriter();
  const writeScoped: Write<ScopeGroup<T>> = ({ scope, rows }) => {
    message(writer, 1, writeScope, scope);
    for (const row of rows) message(writer, 2, writeRow, row);
  };
  const writeGroup: Write<ResourceGroup<T>> = ({ resource, scopes }) => {
    message(writer, 1, writeResource, resource);
    for (const scoped of scopes) message(writer, 2, writeScoped, scoped);
  };
  for (const group of groups) message(writer, 1, writeGroup, group);
  return writer.finish();
}

function message<T>(writer: WireWriter, field: number, write: Write<T>, value: T): void {
  writer.writeMessage(field, (inner) => write(inner, writer), value);
}

function writeResource(resource: Resource, writer: WireWriter): void {
  writeAttributes(writer, 1, resource.attributes);
  writer.number(2, resource.droppedAttributesCount);
}

function writeScope(scope: Scope, writer: WireWriter): void {
  writer.text(1, scope.name);
  writer.text(2, scope.version);
  writeAttributes(writer, 3, scope.attributes);
  writer.number(4, scope.droppedAttributesCount);
}

function writeSpan(span: Span, writer: WireWriter): void {
  writer.id(1, span.traceId, 16);
  writer.id(2, span.spanId, 8);
  writer.text(3, span.traceState);
  writer.id(4, span.parentSpanId ?? '', 8);
  writer.text(5, span.name);
  writer.number(6, spanKinds.byNumber.indexOf(span.kind));
  writer.fixed64(7, span.startUnixNano);
  writer.fixed64(8, span.endUnixNano ?? 0n);
  writeAttributes(writer, 9, span.attributes);
  writer.number(10, span.droppedAttributesCount);
  for (const event of span.events) message(writer, 11, writeEvent, event);
  writer.number(12, span.droppedEventsCount);
  for (const link of span.links) message(writer, 13, writeLink, link);
  writer.number(14, span.droppedLinksCount);
  message(writer, 15, writeStatus, span.status);
  writer.fixed32(16, span.flags);
}

function writeStatus(status: SpanStatus, writer: WireWriter): void {
  writer.text(2, status.message);
  writer.number(3, statusCodes.byNumber.indexOf(status.code));
}

function writeEvent(event: SpanEvent, writer: WireWriter): void {
  writer.fixed64(1, event.timeUnixNano);
  writer.text(2, event.name);
  writeAttributes(writer, 3, event.attributes);
  writer.number(4, event.droppedAttributesCount);
}

function writeLink(link: SpanLink, writer: WireWriter): void {
  writer.id(1, link.traceId, 16);
  writer.id(2, link.spanId, 8);
  writer.text(3, link.traceState);
  writeAttributes(writer, 4, link.attributes);
  writer.number(5, link.droppedAttributesCount);
  writer.fixed32(6, link.flags);
}

function writeRecord(record: LogRecord, writer: WireWriter): void {
  writer.fixed64(1, record.timeUnixNano);
  writer.number(2, record.severityNumber);
  writer.text(3, record.severityText);
  if (record.body !== null) message(writer, 5, writeAnyValue, record.body);
  writeAttributes(writer, 6, record.attributes);
  writer.id(9, record.traceId, 16);
  writer.id(10, record.spanId, 8);
  writer.fixed64(11, record.observedTimeUnixNano);
  writer.text(12, record.eventName);
}

function writeAttributes(writer: WireWriter, field: number, attributes: Attributes): void {
  for (const pair of attributes) message(writer, field, writeKeyValue, pair);
}

function writeKeyValue([key, value]: readonly [string, AttributeValue], writer: WireWriter): void {
  writer.text(1, key);
  if (value !== null) message(writer, 2, writeAnyValue, value);
}

function writeAnyValue(value: AttributeValue, writer: WireWriter): void {
  if (value === null) return;
  switch (typeof value) {
    case 'string':
      writer.anyText(1, value);
      return;
    case 'boolean':
      writer.writeBooleanField(2, value);
      return;
    case 'bigint':
      writer.int64(3, value);
      return;
    case 'number':
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.int64(3, value);
      else writer.writeDoubleField(4, value);
      return;
    default:
      writeComposite(value, writer);
  }
}

function writeComposite(value: Uint8Array | readonly AttributeValue[] | Attributes, writer: WireWriter): void {
  if (value instanceof Uint8Array) writer.writeBytesField(7, value);
  else if (isList(value)) {
    message(
      writer,
      5,
      (values) => {
        for (const item of values) message(writer, 1, writeAnyValue, item);
      },
      value,
    );
  } else message(writer, 6, (map) => writeAttributes(writer, 1, map), value);
}

function isList(value: readonly AttributeValue[] | Attributes): value is readonly AttributeValue[] {
  return Array.isArray(value);
}
