import { AttributeBuilder } from './attribute-builder.ts';
import type { ShapeNode } from './attribute-shape.ts';
import type { AttributeMap, AttributeValue } from './attributes.ts';
import { sameBytes } from './byte-compare.ts';
import type { WireReading } from './otlp-protobuf-field.ts';
import { deepestValue, type OtlpReading } from './otlp-reading.ts';
import type { PendingValue } from './pending-text.ts';
import type { WireReader } from './wire-reader.ts';

/** A `KeyValue` that ends at `end`, into `builder`. */
export function readKeyValue(wire: WireReading, builder: AttributeBuilder, end: number, depth: number): void {
  const { reader } = wire;
  let key = '';
  let value: AttributeValue = null;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) key = reader.text(reader.fieldEnd(end));
    else if (tag === 0x12) value = readAnyValue(wire, reader.fieldEnd(end), depth);
    else reader.pass(tag, end);
  }
  builder.add(wire.reading.shared.share(key), value);
}

/**
 * The same for fields `tag` that follow one another from here, as long as each key has followed there before (it is
 * compared, not decoded), nothing but a value stands beside it, and lengths have one byte or two. Stops at the first field
 * where anything is otherwise. The innermost loop of reading a message.
 */
export function readLikelyRun(wire: WireReading, builder: AttributeBuilder, tag: number, end: number): void {
  const { reader } = wire;
  const { buf } = reader;
  let at = reader.pos;
  while (at < end && buf[at] === tag) {
    const length = lengthAt(buf, at + 1);
    const from = at + (length < 0x80 ? 2 : 3);
    if (length < 0 || from + length > end) break;
    const next = knownNode(reader, builder.node, from, from + length);
    if (next === undefined) break;
    at = from + length;
    const value = contentAt(buf, from + 3 + next.keyBytes.byteLength, at);
    builder.addAt(next, readLikelyValue(wire, next, value, at));
  }
  reader.pos = at;
}

/** The node of the key that stands at `at` in a `KeyValue` of key and value up to `end`, where it has followed before. */
function knownNode(reader: WireReader, node: ShapeNode | undefined, at: number, end: number): ShapeNode | undefined {
  const likely = node?.likely;
  if (node === undefined || likely === undefined) return undefined;
  if (hasKey(reader, at, likely.keyBytes, end)) return likely.repeats ? undefined : likely;
  for (const other of node.children) {
    if (!hasKey(reader, at, other.keyBytes, end)) continue;
    node.likely = other;
    return other.repeats ? undefined : other;
  }
  return undefined;
}

/** A shorter text is an id or a name: nearly always looked at, and kept by others than its span, too. */
const shortestPending = 64;

function readLikelyValue(wire: WireReading, node: ShapeNode, from: number, end: number): PendingValue {
  const { reader, reading } = wire;
  const { buf, dataView } = reader;
  const last = node.sharedBytes(dataView, from, end);
  if (last !== undefined) return last;
  const text = buf[from] === 0x0a ? contentAt(buf, from + 1, end) : -1;
  reader.pos = text >= 0 ? text : from;
  if (end - text > shortestPending && text >= 0) return reader.pendingText(end);
  const before = reading.problems.length;
  const value = text >= 0 ? reader.text(end) : readAnyValue(wire, end, 0);
  // Each time that something is wrong is told.
  if (reading.problems.length === before && reading.moreProblems === 0) node.rememberBytes(dataView, from, end, value);
  return value;
}

/** Whether this key stands here as field 1, and after it a field 2 that ends at `end`. */
function hasKey({ buf, dataView }: WireReader, at: number, key: DataView, end: number): boolean {
  const length = key.byteLength;
  const valueAt = at + 2 + length;
  if (length > 127 || valueAt + 2 > end || buf[at] !== 0x0a || buf[at + 1] !== length) return false;
  if (!sameBytes(dataView, at + 2, key, length)) return false;
  return buf[valueAt] === 0x12 && contentAt(buf, valueAt + 1, end) >= 0;
}

/** Where the content begins of a field whose length stands at `at`, if it ends at `end`; else -1. */
function contentAt(buf: Uint8Array, at: number, end: number): number {
  const length = lengthAt(buf, at);
  const from = at + (length < 0x80 ? 1 : 2);
  return length >= 0 && from + length === end ? from : -1;
}

/** A length of one byte or two; -1 for a longer one. */
function lengthAt(buf: Uint8Array, at: number): number {
  const first = buf[at] as number;
  if (first < 0x80) return first;
  const second = buf[at + 1] as number;
  return second > 0 && second < 0x80 ? (first & 0x7f) | (second << 7) : -1;
}

/** An `AnyValue` that ends at `end`; an empty one is `null`. */
export function readAnyValue(wire: WireReading, end: number, depth: number): AttributeValue {
  const { reader, reading } = wire;
  if (depth >= deepestValue) {
    throw reading.error('OTEL_EVAL_TOO_LARGE', `a value is nested deeper than ${deepestValue} levels`, 'attributes');
  }
  let value: AttributeValue = null;
  while (reader.pos < end) {
    const tag = reader.tag(end);
    value = readMember(wire, tag, end, depth) ?? value;
  }
  return value;
}

function readMember(wire: WireReading, tag: number, end: number, depth: number): AttributeValue | undefined {
  const { reader } = wire;
  switch (tag) {
    case 0x0a:
      return reader.text(reader.fieldEnd(end));
    case 0x10:
      return reader.number(end) !== 0;
    case 0x18:
      return reader.int64(end);
    case 0x21:
      return reader.double(end);
    case 0x2a:
      return readArray(wire, reader.fieldEnd(end), depth + 1);
    case 0x32:
      return readMap(wire, reader.fieldEnd(end), depth + 1);
    case 0x3a:
      return reader.copy(reader.fieldEnd(end));
    default:
      reader.pass(tag, end);
      return undefined;
  }
}

function readArray(wire: WireReading, end: number, depth: number): AttributeValue[] {
  const { reader } = wire;
  const values: AttributeValue[] = [];
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) values.push(readAnyValue(wire, reader.fieldEnd(end), depth));
    else reader.pass(tag, end);
  }
  return values;
}

function readMap(wire: WireReading, end: number, depth: number): AttributeMap {
  const { reader, reading } = wire;
  const builder = new AttributeBuilder(reading.shared.shapes);
  while (reader.pos < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) readKeyValue(wire, builder, reader.fieldEnd(end), depth);
    else reader.pass(tag, end);
  }
  return finishAttributes(reading, builder, 'attributes');
}

export function finishAttributes(reading: OtlpReading, builder: AttributeBuilder, field: string): AttributeMap {
  return builder.finish((position) =>
    reading.problem('duplicate-key', 'a key stands twice; the last value counts', `${field}[${position}]`),
  );
}
