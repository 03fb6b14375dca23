import type { EnumNames } from './otlp-enum.ts';
import { BadId, readId } from './otlp-id.ts';
import { integerOf, integerOfHalves, largestUint64, nineteenDigits, shortInteger } from './otlp-integer.ts';
import { isObject, kindOf } from './otlp-json-value.ts';
import type { OtlpReading } from './otlp-reading.ts';

/** Scalar fields of spans and log records, in every spelling seen in the wild. */

/** An id as hex, `''` where empty, absent or zero, `undefined` where unreadable (a problem names it). */
export function readIdField(
  reading: OtlpReading,
  value: unknown,
  byteLength: 8 | 16,
  field: string,
): string | undefined {
  if (value === undefined || value === null) return '';
  const id = typeof value === 'string' ? readId(value, byteLength) : new BadId(`expected a text, got ${kindOf(value)}`);
  if (typeof id === 'string') return id;
  reading.problem(`bad-${dashed(field)}`, id.reason, field);
  return undefined;
}

function dashed(field: string): string {
  return (field.split('.').at(-1) ?? field).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Nanoseconds; `0n` where absent or unreadable (a problem names it). */
export function readTime(reading: OtlpReading, value: unknown, field: string): bigint {
  return readTimeOrNone(reading, value, field) ?? 0n;
}

/** The same, `undefined` in place of 0. */
export function readTimeOrNone(reading: OtlpReading, value: unknown, field: string): bigint | undefined {
  if (typeof value === 'string') {
    const usual = nineteenDigits(value);
    if (usual !== undefined) return usual;
  }
  if (value === undefined || value === null || value === 0 || value === '0' || value === '') return undefined;
  const time = timeOf(reading, value);
  if (time === 0n) return undefined;
  if (time !== undefined && time > 0n && time <= largestUint64) return time;
  reading.problem('bad-time', `expected nanoseconds since 1970 as an integer, got ${kindOf(value)}`, field);
  return undefined;
}

function timeOf(reading: OtlpReading, value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string') return integerOf(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) reading.needsExact = true;
    return Number.isInteger(value) ? BigInt(value) : undefined;
  }
  return isObject(value) ? integerOfHalves(value, false) : undefined;
}

/** A count or flags, 32 bits; a negative one is clamped to 0 and named. */
export function readUint32(reading: OtlpReading, value: unknown, field: string): number {
  if (value === undefined || value === null || value === 0) return 0;
  const count = typeof value === 'string' ? shortInteger(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= 4_294_967_295) return count;
  if (typeof count === 'number' && count < 0) {
    reading.problem('negative-count', 'expected 0 or more, got a negative number; read as 0', field);
  } else {
    reading.problem('bad-count', `expected a 32-bit number, got ${kindOf(value)}; read as 0`, field);
  }
  return 0;
}

/** A text; `''` where absent. */
export function readText(reading: OtlpReading, value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  reading.problem('bad-text', `expected a text, got ${kindOf(value)}`, field);
  return '';
}

/**
 * A member of an enumeration given as number, numeric text, name or short name (`2`, `"2"`, `"STATUS_CODE_ERROR"`,
 * `"ERROR"`). The first name stands for 0 and for what is unknown, which a problem names.
 */
export function readEnum<Name extends string>(
  reading: OtlpReading,
  value: unknown,
  names: EnumNames<Name>,
  field: string,
): Name {
  const first = names.byNumber[0] as Name;
  if (value === undefined || value === null) return first;
  const found = typeof value === 'number' ? names.byNumber[value] : enumOfText(value, names);
  if (found !== undefined) return found;
  reading.problem(`unknown-${names.what}`, `expected a ${names.what} that OTLP knows; read as ${first}`, field);
  return first;
}

function enumOfText<Name extends string>(value: unknown, names: EnumNames<Name>): Name | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,2}$/.test(value)) return names.byNumber[Number(value)];
  const upper = value.toUpperCase();
  const short = upper.startsWith(names.prefix) ? upper.slice(names.prefix.length) : upper;
  return names.byNumber.find((name) => name.toUpperCase() === short);
}
