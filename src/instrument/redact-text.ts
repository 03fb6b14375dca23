import { findCredentials } from '../trace/privacy/find-credentials.ts';
import type { SecretValues } from './secret-values.ts';

/** A text without credentials, and how many were taken out. */
export interface RedactedText {
  readonly text: string;
  readonly count: number;
}

/** What stands in the place of a credential: the rule and nothing of the value, not even its length. */
export function redactionMark(rule: string): string {
  return `[redacted:${rule}]`;
}

/** True for a text that is such a mark and nothing else. A part of one would say less than nothing. */
export function isRedactionMark(text: string): boolean {
  return text.length <= 60 && /^\[redacted:[a-z-]+\]$/.test(text);
}

/**
 * Takes credentials out of a text. Linear in its length. A text that spells characters as `\u0073` or `\/` is also
 * looked at as it will read; if that shows more, the plain spelling is what goes on.
 */
export function redactText(text: string, secrets: SecretValues): RedactedText {
  const plain = plainSpelling(text);
  if (plain !== undefined) {
    const decoded = redactSpelling(plain, secrets);
    if (decoded.count > 0) return decoded;
  }
  return redactSpelling(text, secrets);
}

function redactSpelling(text: string, secrets: SecretValues): RedactedText {
  const registered = secrets.replaceIn(text, redactionMark('registered'));
  const found = findCredentials(registered.text);
  if (found.length === 0) return registered;
  let out = '';
  let from = 0;
  for (const { rule, start, end } of found) {
    out += registered.text.slice(from, start) + redactionMark(rule);
    from = end;
  }
  return { text: out + registered.text.slice(from), count: registered.count + found.length };
}

const escaped = /\\+u00([2-7][0-9a-f])|\\+\//gi;

/** Printable ASCII that was escaped without need, as itself; `undefined` where there is none. */
function plainSpelling(text: string): string | undefined {
  if (!text.includes('\\')) return undefined;
  const plain = text.replace(escaped, (all, code: string | undefined) => {
    const character = code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16));
    // A quote or backslash has to stay escaped, or the JSON around it would change.
    return character === '"' || character === '\\' || character === "'" ? all : character;
  });
  return plain === text ? undefined : plain;
}
