import { PbfReader } from 'pbf';
import { isAscii } from './byte-compare.ts';
import { OtelEvalError } from './otel-eval-error.ts';
import { fromHalves } from './otlp-integer.ts';
import type { SharedStrings } from './otlp-reading.ts';
import { PendingText, type TextSource } from './pending-text.ts';

/** Wire types of protobuf. */
const varintType = 0;
const fixed64Type = 1;
const bytesType = 2;
const groupType = 3;
const groupEndType = 4;
const fixed32Type = 5;

/** Groups within groups, which nothing writes any more. */
const deepestGroup = 100;

/** What `toString` calls in the end. */
interface SliceableBuffer extends Buffer {
  utf8Slice(start: number, end: number): string;
  latin1Slice(start: number, end: number): string;
}

/** Character codes of the two digits of each byte. */
const high = Uint8Array.from({ length: 256 }, (_, byte) => (byte >> 4).toString(16).charCodeAt(0));
const low = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 15).toString(16).charCodeAt(0));

/** A span id as hex. Twice as fast as `toString('hex')`, which is made for long texts. */
function hexOfEight(bytes: Uint8Array, at: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  const [e = 0, f = 0, g = 0, h = 0] = [bytes[at + 4], bytes[at + 5], bytes[at + 6], bytes[at + 7]];
  // biome-ignore format: two digits a byte
  return String.fromCharCode(
    digit(high, a), digit(low, a), digit(high, b), digit(low, b), digit(high, c), digit(low, c), digit(high, d), digit(low, d),
    digit(high, e), digit(low, e), digit(high, f), digit(low, f), digit(high, g), digit(low, g), digit(high, h), digit(low, h),
  );
}

/** Four bytes as a number, the lowest first. */
function word(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

function digit(table: Uint8Array, byte: number): number {
  return table[byte] as number;
}

/**
 * pbf's reader, held to the bounds of the message: a length that lies, a cut message or a number of too many bytes is an
 * `OtelEvalError` that names the byte, never a wrong value. 64-bit numbers keep every digit.
 */
export class WireReader extends PbfReader implements TextSource {
  readonly bytes: SliceableBuffer;
  readonly source: string | undefined;

  constructor(bytes: Uint8Array, source?: string) {
    super(bytes);
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as SliceableBuffer;
    this.source = source;
  }

  /** Field number and wire type: `number << 3 | type`. */
  tag(end: number): number {
    const tag = this.number(end);
    if (tag < 8 || tag > 0xffff_ffff) throw this.broken('expected a field number');
    return tag;
  }

  /** A varint as a number; exact below 2^53. */
  number(end: number): number {
    const at = this.pos;
    if (at >= end) throw this.broken('expected a number, got the end of its message');
    const first = this.buf[at] as number;
    if (first < 0x80) {
      this.pos = at + 1;
      return first;
    }
    this.holdVarint(end);
    return this.readVarint();
  }

  /** A 32-bit number; of a longer one the lower half, as protobuf says. */
  int32(end: number): number {
    const value = this.int64(end);
    return typeof value === 'number' && value >= 0 && value <= 0x7fff_ffff
      ? value
      : Number(BigInt.asIntN(32, BigInt(value)));
  }

  /** A signed 64-bit varint: a number where that is exact, else a bigint. */
  int64(end: number): number | bigint {
    const start = this.pos;
    const value = this.number(end);
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    this.pos = start;
    let exact = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.buf[this.pos] as number;
      this.pos += 1;
      exact |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const signed = BigInt.asIntN(64, exact);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
  }

  fixed64(end: number): bigint {
    return this.timeOrNone(end) ?? 0n;
  }

  /** The same, `undefined` for 0. Looking at the halves is far quicker than comparing a bigint with 0n. */
  timeOrNone(end: number): bigint | undefined {
    this.hold(8, end);
    const { buf, pos } = this;
    const low = word(buf, pos);
    const high = word(buf, pos + 4);
    this.pos = pos + 8;
    return low === 0 && high === 0 ? undefined : fromHalves(low, high);
  }

  fixed32(end: number): number {
    this.hold(4, end);
    return this.readFixed32();
  }

  double(end: number): number {
    this.hold(8, end);
    return this.readDouble();
  }

  /** Where the length-delimited field ends whose length comes now. */
  fieldEnd(end: number): number {
    const length = this.number(end);
    if (length > end - this.pos) {
      throw this.broken(`a field claims ${length} bytes, its message has ${end - this.pos} left`);
    }
    return this.pos + length;
  }

  /** The text from here to `end`; what is not UTF-8 becomes U+FFFD. */
  text(end: number): string {
    const text = this.textAt(this.pos, end);
    this.pos = end;
    return text;
  }

  /** In ASCII, Latin-1 means the same, and is decoded twice as fast with the look at the bytes. */
  textAt(from: number, to: number): string {
    return isAscii(this.dataView, from, to) ? this.bytes.latin1Slice(from, to) : this.bytes.utf8Slice(from, to);
  }

  /** The same as `text`, to be decoded when it is looked at. */
  pendingText(end: number): PendingText {
    const text = new PendingText(this, this.pos, end);
    this.pos = end;
    return text;
  }

  /** The same for a text that is often the same, such as a name. */
  sharedText(end: number, shared: SharedStrings): string {
    const from = this.pos;
    const met = shared.met(this.dataView, from, end);
    if (met === undefined) return shared.keep(this.dataView, from, end, this.text(end));
    this.pos = end;
    return met;
  }

  /** The bytes from here to `end` as lower-case hex. */
  hex(end: number): string {
    const { pos, bytes } = this;
    this.pos = end;
    return end - pos === 8 ? hexOfEight(bytes, pos) : bytes.toString('hex', pos, end);
  }

  /** A copy of the bytes from here to `end`. */
  copy(end: number): Uint8Array {
    const copy = new Uint8Array(this.buf.subarray(this.pos, end));
    this.pos = end;
    return copy;
  }

  /** Passes over a field that is not known. */
  pass(tag: number, end: number, depth = 0): void {
    switch (tag & 7) {
      case varintType:
        this.number(end);
        return;
      case fixed64Type:
        this.hold(8, end);
        this.pos += 8;
        return;
      case bytesType:
        this.pos = this.fieldEnd(end);
        return;
      case groupType:
        this.passGroup(tag, end, depth);
        return;
      case fixed32Type:
        this.hold(4, end);
        this.pos += 4;
        return;
      default:
        throw this.broken(`wire type ${tag & 7} does not stand here`);
    }
  }

  private passGroup(start: number, end: number, depth: number): void {
    if (depth >= deepestGroup) throw this.broken(`groups are nested deeper than ${deepestGroup} levels`);
    for (;;) {
      const tag = this.tag(end);
      if ((tag & 7) === groupEndType) {
        if (tag >>> 3 !== start >>> 3) throw this.broken('a group ends that was not begun');
        return;
      }
      this.pass(tag, end, depth + 1);
    }
  }

  private hold(length: number, end: number): void {
    if (length > end - this.pos) throw this.broken(`expected ${length} bytes, got ${end - this.pos}`);
  }

  private holdVarint(end: number): void {
    const last = Math.min(end, this.pos + 10);
    for (let i = this.pos; i < last; i += 1) if ((this.buf[i] as number) < 0x80) return;
    throw this.broken(
      last === end ? 'expected a number, got the end of its message' : 'a number has more than ten bytes',
    );
  }

  broken(message: string): OtelEvalError {
    const place = `${this.source ? `${this.source}, ` : ''}byte ${this.pos}`;
    return new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `not OTLP/protobuf, or cut: ${message} (${place})`, {
      ...(this.source ? { source: this.source } : {}),
      byte: this.pos,
    });
  }
}
