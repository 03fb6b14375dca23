import { AttributeBuilder } from './attribute-builder.ts';
import type { AttributeMap, AttributeValue } from './attributes.ts';
import type { WireReading } from './otlp-protobuf-field.ts';
import { deepestValue, type OtlpReading } from './otlp-reading.ts';

/** A `KeyValue` that ends at `end`, into `builder`. */
export function readKeyValue(wire: WireReading, builder: AttributeBuilder, end: number, depth: number): void {
  if (readLikelyKeyValue(wire, builder, end, depth)) return;
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
 * The same, where the key is the one that followed last time (it is compared, not decoded) and nothing but a value
 * follows up to `end`. False, with nothing read, where anything is otherwise. The innermost loop of reading a message.
 */
function readLikelyKeyValue(wire: WireReading, builder: AttributeBuilder, end: number, depth: number): boolean {
  const { reader } = wire;
  const likely = builder.node?.likely;
  if (likely === undefined || likely.repeats) return false;
  const valueAt = afterKey(reader.buf, reader.pos, likely.keyBytes, end);
  if (valueAt < 0) return false;
  const value = contentAt(reader.buf, valueAt + 1, end);
  if (value < 0) return false;
  const text = reader.buf[value] === 0x0a ? contentAt(reader.buf, value + 1, end) : -1;
  if (text >= 0) {
    reader.pos = text;
    builder.addAt(likely, likely.shared(reader.text(end)));
  } else {
    reader.pos = value;
    builder.addAt(likely, readAnyValue(wire, end, depth));
  }
  return true;
}

/** Where the tag of the value stands after field 1 with this key, or -1. */
function afterKey(buf: Uint8Array, at: number, key: Uint8Array, end: number): number {
  const { length } = key;
  const valueAt = at + 2 + length;
  if (length > 127 || valueAt + 2 > end || buf[at] !== 0x0a || buf[at + 1] !== length) return -1;
  for (let i = 0; i < length; i += 1) if (buf[at + 2 + i] !== key[i]) return -1;
  return buf[valueAt] === 0x12 ? valueAt : -1;
}

/** Where the content begins of a field whose length (of one byte or two) stands at `at`, if it ends at `end`; else -1. */
function contentAt(buf: Uint8Array, at: number, end: number): number {
  if (at >= end) return -1;
  const first = buf[at] as number;
  if (first < 0x80) return at + 1 + first === end ? at + 1 : -1;
  const second = buf[at + 1] as number;
  return second < 0x80 && at + 2 + (first & 0x7f) + second * 128 === end ? at + 2 : -1;
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
