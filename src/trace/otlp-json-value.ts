import { noAttributes, ShapedAttributes, type ShapeNode } from './attribute-shape.ts';
import type { AttributeMap, AttributeValue } from './attributes.ts';
import { integerOf, integerOfHalves, largestInt64, shortInteger, smallestInt64 } from './otlp-integer.ts';
import { deepestValue, type OtlpReading } from './otlp-reading.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `[{key, value}, …]` of a span, event, link, resource, scope or log record. */
export function readAttributes(reading: OtlpReading, list: unknown, field: string): AttributeMap {
  if (list === undefined || list === null) return noAttributes;
  return readKeyValues(reading, list, field, 0);
}

/** As far as it is what it should be. */
interface KeyValue {
  readonly key?: unknown;
  readonly value?: { readonly stringValue?: unknown } | null;
}

function readKeyValues(reading: OtlpReading, list: unknown, field: string, depth: number): AttributeMap {
  if (!Array.isArray(list)) {
    reading.problem('bad-attributes', `expected a list of keys and values, got ${kindOf(list)}`, field);
    return noAttributes;
  }
  if (list.length === 0) return noAttributes;
  const { shapes } = reading.shared;
  const values: AttributeValue[] = new Array(list.length);
  let node: ShapeNode | undefined = shapes.root;
  for (let i = 0; i < list.length; i += 1) {
    const pair = list[i] as KeyValue | null | undefined;
    const key = pair?.key;
    node = typeof key === 'string' ? shapes.step(node, key) : undefined;
    if (node === undefined || node.repeats) return readOddKeyValues(reading, list, field, depth);
    const value = pair?.value;
    const text = value?.stringValue;
    values[i] = typeof text === 'string' ? node.shared(text) : readAnyValue(reading, value, field, depth);
  }
  return new ShapedAttributes(node.shape, values);
}

/** The slow way, for a list with repeated keys, members that are none, or a key sequence too long to remember. */
function readOddKeyValues(reading: OtlpReading, list: readonly unknown[], field: string, depth: number): AttributeMap {
  const map = new Map<string, AttributeValue>();
  for (let i = 0; i < list.length; i += 1) {
    const pair = list[i];
    const key = isObject(pair) ? (pair['key'] ?? '') : undefined;
    if (typeof key !== 'string') {
      reading.problem('bad-attribute', `expected a key and a value, got ${kindOf(pair)}`, `${field}[${i}]`);
      continue;
    }
    if (map.has(key)) reading.problem('duplicate-key', 'a key stands twice; the last value counts', `${field}[${i}]`);
    map.set(key, readAnyValue(reading, (pair as JsonObject)['value'], field, depth));
  }
  return map;
}

/** An `AnyValue`: `{stringValue}`, `{intValue}`, …; empty is `null`. */
export function readAnyValue(reading: OtlpReading, value: unknown, field: string, depth: number): AttributeValue {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) {
    reading.problem('bad-value', `expected an object such as {"stringValue": …}, got ${kindOf(value)}`, field);
    return null;
  }
  const text = value['stringValue'];
  if (typeof text === 'string') return text;
  if (depth >= deepestValue) {
    throw reading.error('OTEL_EVAL_TOO_LARGE', `a value is nested deeper than ${deepestValue} levels`, field);
  }
  const integer = value['intValue'];
  if (integer !== undefined && integer !== null) return readInteger(reading, integer, field);
  for (const name in value) {
    const member = value[name];
    const read = memberReaders[name];
    if (read !== undefined && member !== undefined && (member !== null || name.startsWith('double'))) {
      return read(reading, member, field, depth + 1);
    }
  }
  return readUnknownMember(reading, value, field);
}

type MemberReader = (reading: OtlpReading, member: unknown, field: string, depth: number) => AttributeValue;

const memberReaders: Readonly<Record<string, MemberReader | undefined>> = {
  __proto__: null as never,
  stringValue: readString,
  string_value: readString,
  boolValue: readBoolean,
  bool_value: readBoolean,
  intValue: readInteger,
  int_value: readInteger,
  doubleValue: readDouble,
  double_value: readDouble,
  arrayValue: readArray,
  array_value: readArray,
  kvlistValue: readMap,
  kvlist_value: readMap,
  bytesValue: readBytes,
  bytes_value: readBytes,
};

function readUnknownMember(reading: OtlpReading, value: JsonObject, field: string): null {
  const names = Object.keys(value).filter((name) => value[name] !== null);
  if (names.some((name) => name === 'Value' || /^[A-Z]\w*Value$/.test(name))) {
    throw reading.error(
      'OTEL_EVAL_BAD_FIELD',
      'expected {"stringValue": …}, got the capitalised member names of a Go dump, which is not OTLP/JSON',
      field,
    );
  }
  if (names.length > 0) reading.problem('unknown-value', 'no member of this value is one that OTLP knows', field);
  return null;
}

function readString(reading: OtlpReading, member: unknown, field: string): AttributeValue {
  if (typeof member === 'string') return member;
  return bad(reading, ['stringValue', 'a string'], member, field);
}

function readBoolean(reading: OtlpReading, member: unknown, field: string): AttributeValue {
  if (typeof member === 'boolean') return member;
  if (member === 'true') return true;
  if (member === 'false') return false;
  return bad(reading, ['boolValue', 'true or false'], member, field);
}

function readInteger(reading: OtlpReading, member: unknown, field: string): AttributeValue {
  const value = integerMember(reading, member);
  if (value === undefined) return bad(reading, ['intValue', 'a 64-bit integer'], member, field);
  if (typeof value === 'number') return value;
  if (value < smallestInt64 || value > largestInt64) {
    reading.problem('integer-out-of-range', 'expected a 64-bit integer, got a larger one', field);
  }
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function integerMember(reading: OtlpReading, member: unknown): number | bigint | undefined {
  if (typeof member === 'number') {
    if (Number.isSafeInteger(member)) return member === 0 ? 0 : member;
    reading.needsExact = true;
    return Number.isInteger(member) ? BigInt(member) : undefined;
  }
  if (typeof member === 'string') return shortInteger(member) ?? integerOf(member);
  if (typeof member === 'bigint') return member;
  return isObject(member) ? integerOfHalves(member, true) : undefined;
}

function readDouble(reading: OtlpReading, member: unknown, field: string): AttributeValue {
  if (typeof member === 'number') return member;
  if (member === null) return Number.NaN;
  if (typeof member === 'bigint') return Number(member);
  if (typeof member === 'string') {
    if (member === 'NaN') return Number.NaN;
    if (member.trim() !== '' && /^[+-]?(Infinity|[\d.]+([eE][+-]?\d+)?)$/.test(member)) {
      const value = Number(member);
      if (!Number.isNaN(value)) return value;
    }
  }
  return bad(reading, ['doubleValue', 'a number'], member, field);
}

function readArray(reading: OtlpReading, member: unknown, field: string, depth: number): AttributeValue {
  const values = isObject(member) ? (member['values'] ?? []) : member;
  if (!Array.isArray(values)) return bad(reading, ['arrayValue', '{"values": […]}'], member, field);
  return values.map((value) => readAnyValue(reading, value, field, depth));
}

function readMap(reading: OtlpReading, member: unknown, field: string, depth: number): AttributeValue {
  const values = isObject(member) ? (member['values'] ?? []) : member;
  return readKeyValues(reading, values, field, depth);
}

function readBytes(reading: OtlpReading, member: unknown, field: string): AttributeValue {
  if (typeof member === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(member)) {
    return new Uint8Array(Buffer.from(member, 'base64'));
  }
  return bad(reading, ['bytesValue', 'base64 text'], member, field);
}

function bad(reading: OtlpReading, [name, expected]: readonly [string, string], member: unknown, field: string): null {
  reading.problem('bad-value', `expected ${expected} in ${name}, got ${kindOf(member)}`, field);
  return null;
}

/** What a JSON value is, without its content. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}
