import type { Attributes, SpanStatus } from '@opentelemetry/api';
import type { ContentRedactor } from './content-redactor.ts';
import { fitCeiling } from './fit-ceiling.ts';
import type { PassingParts, Sieve } from './sieve.ts';
import type { Tally } from './tally.ts';

/** Lets content pass: bounded, redacted, truncated, marked, in this order. */
export class ContentSieve implements Sieve {
  readonly mode = 'content';
  readonly #redactor: ContentRedactor;
  readonly #ceiling: number;

  constructor(redactor: ContentRedactor, ceiling: number) {
    this.#redactor = redactor;
    this.#ceiling = ceiling;
  }

  attributes(from: Attributes, tally: Tally): Attributes {
    return this.#redactor.attributes(from, tally);
  }

  spanName(name: string, tally: Tally): string {
    return this.#redactor.text(name, 'message', tally);
  }

  eventName(name: string, tally: Tally): string {
    return this.#redactor.text(name, 'message', tally);
  }

  scopeName(name: string, tally: Tally): string {
    return this.#redactor.text(name, 'data', tally);
  }

  status(status: SpanStatus, tally: Tally): SpanStatus {
    const { code, message } = status;
    return message === undefined ? status : { code, message: this.#redactor.text(message, 'message', tally) };
  }

  fit(parts: PassingParts, tally: Tally): void {
    fitCeiling(parts, this.#ceiling, tally);
  }
}
