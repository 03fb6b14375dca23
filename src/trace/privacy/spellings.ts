const encoder = new TextEncoder();
const shortestCoded = 8;

/**
 * How a text may be spelled where it leaves: as it is, as JSON once and twice, in a URL, as hex, and as base64, which
 * in the middle of longer base64 has three forms, by its place.
 *
 * @example
 * spellingsOf('a/b').includes('a%2Fb'); // true
 */
export function spellingsOf(text: string): readonly string[] {
  return [...new Set(formsOf(text))].filter((spelling) => spelling !== '');
}

/** All of them, always in the same order, so that those of two texts can be laid side by side; empty where one says too little. */
export function formsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const whole = text.replace(/\p{Cs}/gu, '\uFFFD');
  const bytes = encoder.encode(text);
  return [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    encodeURIComponent(whole),
    hexOf(bytes),
    ...[0, 1, 2].map((shift) => base64Core(bytes, shift)).map((coded) => (coded.length >= shortestCoded ? coded : '')),
  ];
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Base64 of the bytes when `shift` others stand before them, without what those others decide. */
function base64Core(bytes: Uint8Array, shift: number): string {
  const shifted = new Uint8Array(shift + bytes.length);
  shifted.set(bytes, shift);
  const coded = btoa(Array.from(shifted, (byte) => String.fromCharCode(byte)).join('')).replace(/=+$/, '');
  const end = Math.floor(((shift + bytes.length) * 4) / 3);
  return coded.slice(shift === 0 ? 0 : shift + 1, end);
}

const escaped = /\\+u([0-9a-f]{4})|\\+([/"'])/gi;

/** The text with its JSON escapes read, at any depth; `undefined` where it holds none. */
export function unescaped(text: string): string | undefined {
  if (!text.includes('\\')) return undefined;
  const plain = text.replace(escaped, (_all, code: string | undefined, character: string | undefined) =>
    code === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain === text ? undefined : plain;
}
