/** `0` to `f`, both cases, by character code; 255 for any other. */
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
    const high = word(spanId, 0);
    const low = word(spanId, 8);
    this.count++;
    if (spanId.length !== 16 || Number.isNaN(high) || Number.isNaN(low)) {
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

  /** 32 lower-case hex digits: XOR, then sum. */
  hex(): string {
    if (this.spoilt) return 'spoilt';
    return hex32(this.xorHigh) + hex32(this.xorLow) + hex32(this.sumHigh) + hex32(this.sumLow);
  }
}

/** Eight hex digits from `start` as a 32-bit number; `NaN` where one is none. */
function word(text: string, start: number): number {
  let value = 0;
  for (let index = start; index < start + 8; index++) {
    const nibble = nibbles[text.charCodeAt(index)] ?? 255;
    if (nibble === 255) return Number.NaN;
    value = (value << 4) | nibble;
  }
  return value;
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
