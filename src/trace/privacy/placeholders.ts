import { createHash } from 'node:crypto';

const longestKept = 64;

/**
 * Stands in for content: the same text is the same placeholder, wherever it is, numbered as they come, so that nobody can
 * guess a text by its digest.
 *
 * @example
 * const placeholders = new Placeholders();
 * placeholders.of('Where is my order?'); // '[redacted 1]'
 */
export class Placeholders {
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#numbers.size;
  }

  of(text: string): string {
    return `[redacted ${this.#numberOf(text)}]`;
  }

  /** The same for a key of an attribute, which must be one word. */
  ofKey(text: string): string {
    return `redacted.${this.#numberOf(text)}`;
  }

  #numberOf(text: string): number {
    const known = text.length <= longestKept ? text : createHash('sha256').update(text).digest('base64');
    const number = this.#numbers.get(known) ?? this.#numbers.size + 1;
    this.#numbers.set(known, number);
    return number;
  }
}
