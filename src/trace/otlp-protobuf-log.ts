import { noAttributes } from './attribute-shape.ts';
import type { LogRecord } from './log-record.ts';
import { eventNameOf } from './otlp-json-log.ts';
import { readCount, readId, readTraceId, type WireReading } from './otlp-protobuf-field.ts';
import { finishAttributes, readAnyValue, readKeyValue } from './otlp-protobuf-value.ts';
import type { Resource, Scope } from './span.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A `LogRecord` that ends at `end`; `undefined` where an id in it cannot be read (a problem names it). */
export function readLogRecord(wire: WireReading, end: number, resource: Resource, scope: Scope): LogRecord | undefined {
  const { reader } = wire;
  const record: Writable<LogRecord> = {
    traceId: '',
    spanId: '',
    timeUnixNano: 0n,
    observedTimeUnixNano: 0n,
    eventName: '',
    severityNumber: 0,
    severityText: '',
    body: null,
    attributes: noAttributes,
    resource,
    scope,
  };
  let readable = true;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x32) readKeyValue(wire, wire.builder, reader.fieldEnd(end), 0);
    else if (tag === 0x4a || tag === 0x52) readable = readRecordId(wire, tag, end, record) && readable;
    else readField(wire, tag, end, record);
  }
  record.attributes = finishAttributes(wire.reading, wire.builder, 'attributes');
  if (record.eventName === '') record.eventName = eventNameOf(record.attributes);
  return readable ? record : undefined;
}

function readRecordId(wire: WireReading, tag: number, end: number, record: Writable<LogRecord>): boolean {
  const idEnd = wire.reader.fieldEnd(end);
  const id = tag === 0x4a ? readTraceId(wire, idEnd) : readId(wire, idEnd, 8, 'spanId');
  record[tag === 0x4a ? 'traceId' : 'spanId'] = id ?? '';
  return id !== undefined;
}

function readField(wire: WireReading, tag: number, end: number, record: Writable<LogRecord>): void {
  const { reader } = wire;
  switch (tag) {
    case 0x09:
      record.timeUnixNano = reader.fixed64(end);
      return;
    case 0x10:
      record.severityNumber = readCount(wire, end, 'severityNumber');
      return;
    case 0x1a:
      record.severityText = reader.sharedText(reader.fieldEnd(end), wire.reading.shared);
      return;
    case 0x2a:
      record.body = readAnyValue(wire, reader.fieldEnd(end), 0);
      return;
    case 0x59:
      record.observedTimeUnixNano = reader.fixed64(end);
      return;
    case 0x62:
      record.eventName = reader.sharedText(reader.fieldEnd(end), wire.reading.shared);
      return;
    default:
      reader.pass(tag, end);
  }
}
