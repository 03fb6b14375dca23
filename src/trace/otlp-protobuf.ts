import { AttributeBuilder } from './attribute-builder.ts';
import { noAttributes } from './attribute-shape.ts';
import { readCount, type WireReading } from './otlp-protobuf-field.ts';
import { readLogRecord } from './otlp-protobuf-log.ts';
import { readSpan } from './otlp-protobuf-span.ts';
import { finishAttributes, readKeyValue } from './otlp-protobuf-value.ts';
import { type DecodeOptions, type OtlpBatch, OtlpReading } from './otlp-reading.ts';
import type { Resource, Scope } from './span.ts';
import { WireReader } from './wire-reader.ts';

export type OtlpSignal = 'traces' | 'logs';

export interface ProtobufOptions extends DecodeOptions {
  /** What the message holds. Default: as `signalOf` sees it. */
  readonly signal?: OtlpSignal;
}

/**
 * Reads one OTLP/protobuf message: `TracesData` or `ExportTraceServiceRequest` (they are alike, and several appended are
 * one), or their likes for logs. Text that is not UTF-8 is read with U+FFFD. The spans keep the bytes, which must not
 * change: most of their texts are decoded when they are looked at.
 *
 * What cannot be read is named in `problems`, its siblings stay. Throws an `OtelEvalError` that names the byte for what
 * is no such message, or cut (`OTEL_EVAL_NOT_A_TRACE`), and beyond the bounds (`OTEL_EVAL_TOO_LARGE`).
 *
 * @example
 * const { spans, problems } = decodeOtlpProtobuf(await readFile('traces.pb'), { source: 'traces.pb' });
 */
export function decodeOtlpProtobuf(bytes: Uint8Array, options: ProtobufOptions = {}): OtlpBatch {
  const reading = new OtlpReading(options);
  const reader = new WireReader(bytes, options.source);
  const wire: WireReading = {
    reader,
    reading,
    builder: new AttributeBuilder(reading.shared.shapes),
    innerBuilder: new AttributeBuilder(reading.shared.shapes),
  };
  const signal = signals[options.signal ?? signalOf(bytes)];
  let groups = 0;
  while (reader.pos < bytes.length) {
    const tag = reader.tag(bytes.length);
    if (tag === 0x0a) {
      reading.stand(0, signal.groups, groups);
      groups += 1;
      readGroup(wire, reader.fieldEnd(bytes.length), signal);
    } else reader.pass(tag, bytes.length);
  }
  if (groups === 0 && bytes.length > 0) throw reader.broken(`no ${signal.groups} in it`);
  return reading;
}

interface Signal {
  readonly groups: string;
  readonly scopes: string;
  readonly rows: string;
  read(wire: WireReading, end: number, resource: Resource, scope: Scope): void;
}

const signals: Readonly<Record<OtlpSignal, Signal>> = {
  traces: {
    groups: 'resourceSpans',
    scopes: 'scopeSpans',
    rows: 'spans',
    read(wire, end, resource, scope) {
      const span = readSpan(wire, end, resource, scope);
      if (span !== undefined) wire.reading.spans.push(span);
    },
  },
  logs: {
    groups: 'resourceLogs',
    scopes: 'scopeLogs',
    rows: 'logRecords',
    read(wire, end, resource, scope) {
      const record = readLogRecord(wire, end, resource, scope);
      if (record !== undefined) wire.reading.logs.push(record);
    },
  },
};

/**
 * Whether a message holds spans or log records, which is nowhere said: the first field of the first row is the trace id
 * in a span; in a record it is a time, a severity, a body or attributes. `traces` in doubt.
 */
export function signalOf(bytes: Uint8Array): OtlpSignal {
  const reader = new WireReader(bytes);
  try {
    const group = enter(reader, 0x0a, bytes.length);
    const scope = group === undefined ? undefined : enter(reader, 0x12, group);
    const row = scope === undefined ? undefined : enter(reader, 0x12, scope);
    if (row === undefined || reader.pos >= row) return 'traces';
    return firstTagsOfRecord.has(reader.tag(row)) ? 'logs' : 'traces';
  } catch {
    return 'traces';
  }
}

const firstTagsOfRecord: ReadonlySet<number> = new Set([0x09, 0x10, 0x2a, 0x32, 0x59]);

/** Goes to the first field of this tag, and into it; gives its end. */
function enter(reader: WireReader, wanted: number, end: number): number | undefined {
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === wanted) return reader.fieldEnd(end);
    reader.pass(tag, end);
  }
  return undefined;
}

/** Field 1000: `instrumentationLibrarySpans` of messages from before 2022, of the same form as `scopeSpans`. */
const oldScopesTag = 8002;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The resource may come after what it describes: the spans hold it from the start, it is filled in when it comes. */
function readGroup(wire: WireReading, end: number, signal: Signal): void {
  const { reader, reading } = wire;
  const resource: Writable<Resource> = { attributes: noAttributes, droppedAttributesCount: 0 };
  let scopes = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) readResource(wire, reader.fieldEnd(end), resource);
    else if (tag === 0x12 || tag === oldScopesTag) {
      reading.stand(1, tag === 0x12 ? signal.scopes : 'instrumentationLibrarySpans', scopes);
      scopes += 1;
      readScoped(wire, reader.fieldEnd(end), resource, signal);
    } else reader.pass(tag, end);
  }
  reading.leave(0);
}

function readResource(wire: WireReading, end: number, resource: Writable<Resource>): void {
  const { reader } = wire;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) readKeyValue(wire, wire.builder, reader.fieldEnd(end), 0);
    else if (tag === 0x10) resource.droppedAttributesCount = readCount(wire, end, 'resource.droppedAttributesCount');
    else reader.pass(tag, end);
  }
  resource.attributes = finishAttributes(wire.reading, wire.builder, 'resource.attributes');
}

function readScoped(wire: WireReading, end: number, resource: Resource, signal: Signal): void {
  const { reader, reading } = wire;
  const scope: Writable<Scope> = { name: '', version: '', attributes: noAttributes, droppedAttributesCount: 0 };
  let rows = 0;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) readScope(wire, reader.fieldEnd(end), scope);
    else if (tag === 0x12) {
      reading.stand(2, signal.rows, rows);
      rows += 1;
      signal.read(wire, reader.fieldEnd(end), resource, scope);
    } else reader.pass(tag, end);
  }
  reading.leave(1);
}

function readScope(wire: WireReading, end: number, scope: Writable<Scope>): void {
  const { reader } = wire;
  const { shared } = wire.reading;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) scope.name = reader.sharedText(reader.fieldEnd(end), shared);
    else if (tag === 0x12) scope.version = reader.sharedText(reader.fieldEnd(end), shared);
    else if (tag === 0x1a) readKeyValue(wire, wire.builder, reader.fieldEnd(end), 0);
    else if (tag === 0x20) scope.droppedAttributesCount = readCount(wire, end, 'scope.droppedAttributesCount');
    else reader.pass(tag, end);
  }
  scope.attributes = finishAttributes(wire.reading, wire.builder, 'scope.attributes');
}
