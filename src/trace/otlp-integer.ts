/** Reads 64-bit integers without losing a digit. */

const words = new Uint32Array(2);
const quad = new BigUint64Array(words.buffer);
const lowFirst = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
const lowWord = lowFirst ? 0 : 1;
const highWord = lowFirst ? 1 : 0;

export const largestUint64: bigint = 2n ** 64n - 1n;
export const smallestInt64: bigint = -(2n ** 63n);
export const largestInt64: bigint = 2n ** 63n - 1n;

/** A 64-bit number from its halves. */
export function fromHalves(low: number, high: number): bigint {
  words[lowWord] = low;
  words[highWord] = high;
  return quad[0] as bigint;
}

/** A run of decimal digits as a number, `-1` where another character stands in it. At most 15 digits. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** 19 decimal digits, as nanoseconds since 1970 have from 2001 to 2286, or `undefined` for any other text (also for less than 10^9). */
export function nineteenDigits(text: string): bigint | undefined {
  return text.length === 19 ? nineteenDigitsAt(text, 0) : undefined;
}

/**
 * The same for digits inside a text. The product is taken in halves that a double holds exactly; several times faster
 * than `BigInt(text)`.
 */
export function nineteenDigitsAt(text: string, from: number): bigint | undefined {
  if (text.length < from + 19) return undefined;
  const head = digits(text, from, from + 10);
  const tail = digits(text, from + 10, from + 19);
  if (head <= 0 || tail < 0) return undefined;
  const upper = Math.floor(head / 65_536) * 1e9;
  const low = (upper % 65_536) * 65_536 + (head % 65_536) * 1e9 + tail;
  return fromHalves(low % 4_294_967_296, Math.floor(upper / 65_536) + Math.floor(low / 4_294_967_296));
}

/** A short decimal integer (at most 15 digits) as a number, or `undefined`. */
export function shortInteger(text: string): number | undefined {
  const from = text.charCodeAt(0) === 45 ? 1 : 0;
  const length = text.length - from;
  if (length < 1 || length > 15) return undefined;
  const value = digits(text, from, text.length);
  if (value < 0) return undefined;
  return from === 1 && value !== 0 ? -value : value;
}

/**
 * The integer that a decimal text stands for, also `1.6e18` and `12.0`; `undefined` where it is none. Texts that would
 * need more than 400 digits are none.
 */
export function integerOf(text: string): bigint | undefined {
  const parts = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text.trim());
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const shift = Number(exponent) - fraction.length;
  const mantissa = BigInt(whole + fraction);
  if (Math.abs(shift) > 400) return mantissa === 0n ? 0n : undefined;
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && mantissa % scale !== 0n) return undefined;
  const value = shift < 0 ? mantissa / scale : mantissa * scale;
  return sign === '-' ? -value : value;
}

/** `{low, high}` as old JavaScript exporters write a 64-bit integer; `undefined` where it is something else. */
export function integerOfHalves(value: object, signed: boolean): bigint | undefined {
  const { low, high } = value as { low?: unknown; high?: unknown };
  if (!isHalf(low) || !isHalf(high)) return undefined;
  const joined = fromHalves(low >>> 0, high >>> 0);
  return signed ? BigInt.asIntN(64, joined) : joined;
}

function isHalf(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= -2_147_483_648 && value <= 4_294_967_295;
}
