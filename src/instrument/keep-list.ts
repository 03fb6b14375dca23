import type { AttributeValue } from '@opentelemetry/api';
import type { RedactedText } from './redact-text.ts';
import type { Tally } from './tally.ts';

const longestKept = 1_024;

/** Keys and names that the user vouches for: exact, or a beginning that ends in `*`. */
export class KeepList {
  readonly #keys: Matcher;
  readonly #names: Matcher;
  readonly #redact: (text: string) => RedactedText;

  /** `redact` takes credentials out of what is kept; it may throw, and then the value is withheld. */
  constructor(keys: readonly string[], names: readonly string[], redact: (text: string) => RedactedText) {
    this.#keys = new Matcher(keys);
    this.#names = new Matcher(names);
    this.#redact = redact;
  }

  keepsKey(key: string): boolean {
    return this.#keys.matches(key);
  }

  keepsName(name: string): boolean {
    return this.#names.matches(name);
  }

  /** The value without credentials; `undefined` where it is too long or of no simple kind. */
  value(value: AttributeValue | undefined, tally: Tally): AttributeValue | undefined {
    if (typeof value === 'number' || typeof value === 'boolean') return value;
    if (typeof value === 'string') return value.length <= longestKept ? this.#text(value, tally) : undefined;
    if (!Array.isArray(value) || value.length > 64) return undefined;
    const items = value.map((item) => (item === null ? null : this.value(item as AttributeValue, tally)));
    return items.includes(undefined) ? undefined : (items as AttributeValue);
  }

  #text(text: string, tally: Tally): string {
    const redacted = this.#redact(text);
    tally.redacted += redacted.count;
    return redacted.text;
  }
}

class Matcher {
  readonly #exact: ReadonlySet<string>;
  readonly #starts: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
    this.#starts = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  }

  matches(text: string): boolean {
    return this.#exact.has(text) || this.#starts.some((start) => text.startsWith(start));
  }
}
