import { AttributeBuilder } from './attribute-builder.ts';
import type { ShapeNode } from './attribute-shape.ts';
import type { AttributeMap, AttributeValue } from './attributes.ts';
import type { WireReading } from './otlp-protobuf-field.ts';
import { deepestValue, type OtlpReading } from './otlp-reading.ts';
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
 * The same for fields `tag` that follow one another from here, as long as each key is the one that followed last time
 * (it is compared, not decoded), nothing but a value stands beside it, and lengths have one byte or two. Stops at the
 * first field where anything is otherwise. The innermost loop of reading a message.
 */
export function readLikelyRun(wire: WireReading, builder: AttributeBuilder, tag: number, end: number): void {
  const { reader } = wire;
  const { buf } = reader;
  let at = reader.pos;
  while (at < end && buf[at] === tag) {
    const likely = builder.node?.likely;
    const length = lengthAt(buf, at + 1);
    const from = at + (length < 0x80 ? 2 : 3);
    if (likely === undefined || likely.repeats || length < 0 || from + length > end) break;
    const value = afterKey(buf, from, likely.keyBytes, from + length);
    if (value < 0) break;
    at = from + length;
    builder.addAt(likely, readLikelyValue(wire, likely, value, at));
  }
  reader.pos = at;
}

function readLikelyValue(wire: WireReading, node: ShapeNode, from: number, end: number): AttributeValue {
  const { reader } = wire;
  const text = reader.buf[from] === 0x0a ? contentAt(reader.buf, from + 1, end) : -1;
  if (text >= 0) return sharedText(reader, node, text, end);
  reader.pos = from;
  return readAnyValue(wire, end, 0);
}

function sharedText(reader: WireReader, node: ShapeNode, from: number, end: number): string {
  reader.pos = end;
  const last = node.sharedBytes(reader.buf, from, end);
  if (last !== undefined) return last;
  reader.pos = from;
  const text = reader.text(end);
  node.rememberBytes(reader.buf, from, end, text);
  return text;
}

/** Where the value begins after field 1 with this key, if it ends at `end`; else -1. */
function afterKey(buf: Uint8Array, at: number, key: Uint8Array, end: number): number {
  const { length } = key;
  const valueAt = at + 2 + length;
  if (length > 127 || valueAt + 2 > end || buf[at] !== 0x0a || buf[at + 1] !== length) return -1;
  for (let i = 0; i < length; i += 1) if (buf[at + 2 + i] !== key[i]) return -1;
  return buf[valueAt] === 0x12 ? contentAt(buf, valueAt + 1, end) : -1;
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
