import { PbfWriter } from 'pbf';
import { OtelEvalError } from './otel-eval-error.ts';
import { largestInt64, smallestInt64 } from './otlp-integer.ts';

const mask32 = 0xffff_ffffn;

/** pbf's writer, with 64-bit numbers that keep every digit. Fields that hold their default are left out. */
export class WireWriter extends PbfWriter {
  text(field: number, text: string): void {
    if (text !== '') this.anyText(field, text);
  }

  /** A text, also an empty one. pbf's own encoding of texts (5.1.2) spoils characters of odd planes, such as U+20000. */
  anyText(field: number, text: string): void {
    this.writeBytesField(field, Buffer.from(text, 'utf8'));
  }

  number(field: number, value: number): void {
    if (value !== 0) this.writeVarintField(field, value);
  }

  fixed64(field: number, value: bigint): void {
    if (value === 0n) return;
    this.writeTag(field, 1);
    this.writeFixed32(Number(value & mask32));
    this.writeFixed32(Number((value >> 32n) & mask32));
  }

  fixed32(field: number, value: number): void {
    if (value === 0) return;
    this.writeTag(field, 5);
    this.writeFixed32(value);
  }

  /** A signed 64-bit varint, also 0. */
  int64(field: number, value: number | bigint): void {
    const exact = BigInt(value);
    if (exact < smallestInt64 || exact > largestInt64) {
      throw new OtelEvalError('OTEL_EVAL_BAD_FIELD', 'expected an integer of 64 bits to write, got a larger one');
    }
    this.writeTag(field, 0);
    let rest = BigInt.asUintN(64, exact);
    this.realloc(10);
    while (rest > 0x7fn) {
      this.buf[this.pos] = Number(rest & 0x7fn) | 0x80;
      this.pos += 1;
      rest >>= 7n;
    }
    this.buf[this.pos] = Number(rest);
    this.pos += 1;
  }

  /** An id given as hex. */
  id(field: number, hex: string, byteLength: 8 | 16): void {
    if (hex === '') return;
    if (hex.length !== byteLength * 2 || !/^[0-9a-f]+$/.test(hex)) {
      throw new OtelEvalError(
        'OTEL_EVAL_BAD_FIELD',
        `expected an id of ${byteLength * 2} hex digits to write, got ${hex.length} characters`,
      );
    }
    this.writeBytesField(field, Buffer.from(hex, 'hex'));
  }
}
