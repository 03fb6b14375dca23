/** Why an id could not be read: a clause that tells lengths, never the text itself. */
export class BadId {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

const lowerHex = new Uint8Array(128);
for (const digit of '0123456789abcdef') lowerHex[digit.charCodeAt(0)] = 1;
lowerHex['0'.charCodeAt(0)] = 2;

/** 0: not all lower-case hex digits; 1: an id; 2: zeros only. */
function scanHex(text: string): 0 | 1 | 2 {
  let zeros = true;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? lowerHex[code] : 0;
    if (kind === 0) return 0;
    if (kind === 1) zeros = false;
  }
  return zeros ? 2 : 1;
}

/**
 * Reads an id as lower-case hex: hex digits of any case, or base64 of the bytes (standard or URL alphabet, padded or
 * not). `''` for an empty id or one of zeros.
 *
 * @param byteLength 16 for a trace id, 8 for a span id
 */
export function readId(text: string, byteLength: 8 | 16): string | BadId {
  if (text.length === byteLength * 2) {
    const scanned = scanHex(text);
    if (scanned === 1) return text;
    if (scanned === 2) return '';
  }
  return text === '' ? '' : readOddId(text, byteLength);
}

function readOddId(text: string, byteLength: number): string | BadId {
  const expected = `expected ${byteLength * 2} hex digits, or base64 of ${byteLength} bytes`;
  if (/^[0-9a-fA-F]+$/.test(text) && text.length !== Math.ceil((byteLength * 8) / 6)) {
    if (text.length !== byteLength * 2) return new BadId(`${expected}, got ${text.length} hex digits`);
    const lower = text.toLowerCase();
    return scanHex(lower) === 2 ? '' : lower;
  }
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return new BadId(`${expected}, got ${text.length} other characters`);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === byteLength) {
    const hex = bytes.toString('hex');
    return scanHex(hex) === 2 ? '' : hex;
  }
  if (bytes.length === byteLength * 2 && /^[0-9a-fA-F]+$/.test(bytes.toString('latin1'))) {
    return new BadId(`${expected}, got base64 of the hex digits (encoded twice)`);
  }
  return new BadId(`${expected}, got ${text.length} characters (${bytes.length} bytes, if it is base64)`);
}

/** 16 lower-case hex digits inside a text, not all of them 0, as a text of their own; `undefined` where others stand there. */
export function hexSpanIdAt(text: string, from: number): string | undefined {
  let zeros = true;
  for (let i = 0; i < 16; i += 1) {
    const code = text.charCodeAt(from + i);
    const kind = code < 128 ? lowerHex[code] : 0;
    if (kind === 0) return undefined;
    if (kind === 1) zeros = false;
    codes[i] = code;
  }
  // A slice would keep the whole text.
  return zeros ? undefined : String.fromCharCode(...codes);
}

const codes: number[] = new Array(16).fill(0);
