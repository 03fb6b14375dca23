import { isSensitiveKey } from '../trace/privacy/sensitive-keys.ts';
import { spellingsOf } from '../trace/privacy/spellings.ts';

const shortest = 8;
const longest = 16_384;
const most = 256;

/**
 * Exact values that must never leave: those that the app registered, and those of environment variables whose names
 * look secret. Each is looked for as it is and as JSON, URL, base64 and hex would spell it.
 */
export class SecretValues {
  readonly #spellings: readonly string[];

  constructor(registered: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
    const values = new Set(registered.filter((value) => value.length >= 4 && value.length <= longest));
    for (const [name, value] of Object.entries(environment)) {
      if (value !== undefined && isSecretVariable(name, value)) values.add(value);
    }
    const spellings = new Set<string>();
    for (const value of [...values].slice(0, most)) for (const spelling of spellingsOf(value)) spellings.add(spelling);
    // The longest first, so that no part of a longer one is left over.
    this.#spellings = [...spellings].sort((a, b) => b.length - a.length);
  }

  /** The text with each of them replaced, and how many there were. */
  replaceIn(text: string, replacement: string): { readonly text: string; readonly count: number } {
    let count = 0;
    let out = text;
    for (const spelling of this.#spellings) {
      if (!out.includes(spelling)) continue;
      const parts = out.split(spelling);
      count += parts.length - 1;
      out = parts.join(replacement);
    }
    return { text: out, count };
  }
}

function isSecretVariable(name: string, value: string): boolean {
  if (value.length < shortest || value.length > longest || !isSensitiveKey(name)) return false;
  // A path or a plain word under such a name (`SSH_AUTH_SOCK`, `TOKEN=disabled`) is no secret.
  return !/^(?:\/[\w./-]+|[a-z]+|\d{1,6})$/i.test(value);
}
