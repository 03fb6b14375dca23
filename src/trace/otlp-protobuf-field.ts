import type { AttributeBuilder } from './attribute-builder.ts';
import type { EnumNames } from './otlp-enum.ts';
import type { OtlpReading } from './otlp-reading.ts';
import type { RepeatedBytes } from './repeated-bytes.ts';
import type { WireReader } from './wire-reader.ts';

/** One reading of one message: where it stands and what it gathers. */
export interface WireReading {
  readonly reader: WireReader;
  readonly reading: OtlpReading;
  /** For attributes of spans, records, resources and scopes. */
  readonly builder: AttributeBuilder;
  /** For attributes of events and links, met while a span's are being gathered. */
  readonly innerBuilder: AttributeBuilder;
}

const zeros = '0'.repeat(32);

/** An id of `byteLength` bytes as hex; `''` where empty or zero, `undefined` where of another length (a problem says so). */
export function readId(wire: WireReading, end: number, byteLength: 8 | 16, field: string): string | undefined {
  const { reader } = wire;
  const length = end - reader.pos;
  if (length !== byteLength) {
    reader.pos = end;
    if (length === 0) return '';
    const name = field.slice(field.lastIndexOf('.') + 1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    wire.reading.problem(`bad-${name}`, `expected ${byteLength} bytes, got ${length}`, field);
    return undefined;
  }
  const hex = reader.hex(end);
  return zeros.startsWith(hex) ? '' : hex;
}

/** Neighbours nearly always share the trace, and often the parent: their ids are then read once and kept once. */
export function readTraceId(wire: WireReading, end: number): string | undefined {
  return readRepeatedId(wire, wire.reading.shared.traceIds, end, 16);
}

export function readParentId(wire: WireReading, end: number): string | undefined {
  return readRepeatedId(wire, wire.reading.shared.parentIds, end, 8);
}

function readRepeatedId(
  wire: WireReading,
  last: RepeatedBytes<string>,
  end: number,
  byteLength: 8 | 16,
): string | undefined {
  const { reader } = wire;
  const from = reader.pos;
  const known = last.match(reader.dataView, from, end);
  if (known !== undefined) {
    reader.pos = end;
    return known;
  }
  const id = readId(wire, end, byteLength, byteLength === 16 ? 'traceId' : 'parentSpanId');
  if (id === undefined) return undefined;
  const kept = byteLength === 16 ? wire.reading.shared.share(id) : id;
  last.remember(reader.dataView, from, end, kept);
  return kept;
}

/** A 32-bit count; what is none is read as 0 and named. */
export function readCount({ reader, reading }: WireReading, end: number, field: string): number {
  const count = reader.int64(end);
  if (typeof count === 'number' && count >= 0 && count <= 4_294_967_295) return count;
  const negative = count < 0;
  reading.problem(
    negative ? 'negative-count' : 'bad-count',
    `expected a count of 32 bits, got a ${negative ? 'negative' : 'larger'} number; read as 0`,
    field,
  );
  return 0;
}

/** A member of an enumeration by its number; the first stands for what is unknown, which a problem names. */
export function memberOf<Name extends string>(
  { reading }: WireReading,
  number: number,
  names: EnumNames<Name>,
  field: string,
): Name {
  const found = names.byNumber[number];
  if (found !== undefined) return found;
  const first = names.byNumber[0] as Name;
  reading.problem(`unknown-${names.what}`, `expected a ${names.what} that OTLP knows; read as ${first}`, field);
  return first;
}
