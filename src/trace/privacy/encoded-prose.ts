/** Shorter ones come out as text by chance. */
const shortestHex = 32;
const shortestBase64 = 24;
const hex = /^(?:[0-9a-fA-F]{2})+$/;
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Whether a token is words of somebody in base64 or hex: what comes out of it is printable text with blanks, which of random
 * bytes, hashes and ids next to never does.
 *
 * @example
 * isEncodedProse(btoa('my locker code is 4471')); // true
 * isEncodedProse('9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d'); // false
 */
export function isEncodedProse(token: string): boolean {
  if (token.length < shortestBase64) return false;
  if (hex.test(token)) return token.length >= shortestHex && isProse(bytesOfHex(token));
  return base64.test(token) && isProse(bytesOfBase64(token));
}

function bytesOfHex(token: string): string {
  return token.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

function bytesOfBase64(token: string): string {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** Letters of any script come as bytes above 127; control characters do not come at all. */
function isProse(bytes: string): boolean {
  if (!bytes.includes(' ')) return false;
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes.charCodeAt(index);
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127) return false;
  }
  return isUtf8(bytes);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: string): boolean {
  try {
    decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return true;
  } catch {
    return false;
  }
}
