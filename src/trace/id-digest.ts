/** `0` to `f`, both cases, by character code; 255 for any other of the first 256. */
const nibbles = new Uint8Array(256).fill(255);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  nibbles[digit.charCodeAt(0)] = value;
  nibbles[digit.toUpperCase().charCodeAt(0)] = value;
}
const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Accumulates the digest of a receipt: XOR and sum modulo 2^64 of span ids read as 64-bit numbers. Kept as 32-bit halves:
 * one call per span on hot paths, where a bigint would cost ten times as much.
 *
 * @example
 * const digest = new IdDigest();
 * digest.add('00000000000000ff');
 * digest.hex(); // '00000000000000ff00000000000000ff'
 */
export class IdDigest {
  count = 0;
  // All of them 32-bit integers: V8 keeps those in the object itself.
  private xorHigh = 0;
  private xorLow = 0;
  private sumHigh = 0;
  private sumLow = 0;
  private spoilt = false;

  /** `spanId`: 16 hex digits. Any other text spoils the digest, so that it equals no receipt. */
  add(spanId: string): void {
    this.count++;
    let high = 0;
    let low = 0;
    // What is no digit sets a bit above the four of a digit; nothing here leaves 32-bit integers.
    let strange = spanId.length ^ 16;
    for (let index = 0; index < 8; index++) {
      const first = spanId.charCodeAt(index);
      const second = spanId.charCodeAt(index + 8);
      const highDigit = nibbles[first & 255] as number;
      const lowDigit = nibbles[second & 255] as number;
      high = (high << 4) | highDigit;
      low = (low << 4) | lowDigit;
      strange |= ((highDigit | lowDigit) & 240) | ((first | second) & 65_280);
    }
    if (strange !== 0) {
      this.spoilt = true;
      return;
    }
    this.xorHigh ^= high;
    this.xorLow ^= low;
    const lowSum = (this.sumLow + low) | 0;
    const carry = lowSum >>> 0 < low >>> 0 ? 1 : 0;
    this.sumLow = lowSum;
    this.sumHigh = (this.sumHigh + high + carry) | 0;
  }

  /** As it is now: to write it costs more than a hot path should pay for a text that may not be read. */
  copy(): IdDigest {
    const copy = new IdDigest();
    copy.count = this.count;
    copy.xorHigh = this.xorHigh;
    copy.xorLow = this.xorLow;
    copy.sumHigh = this.sumHigh;
    copy.sumLow = this.sumLow;
    copy.spoilt = this.spoilt;
    return copy;
  }

  /** 32 lower-case hex digits: XOR, then sum. */
  hex(): string {
    if (this.spoilt) return 'spoilt';
    return hex32(this.xorHigh) + hex32(this.xorLow) + hex32(this.sumHigh) + hex32(this.sumLow);
  }
}

/** Eight hex digits of a 32-bit number. */
export function hex32(value: number): string {
  return (
    (pairs[(value >>> 24) & 255] ?? '') +
    (pairs[(value >>> 16) & 255] ?? '') +
    (pairs[(value >>> 8) & 255] ?? '') +
    (pairs[value & 255] ?? '')
  );
}
