import type { Attributes, SpanStatus } from '@opentelemetry/api';
import type { MetadataFilter } from './metadata-filter.ts';
import type { Sieve } from './sieve.ts';
import type { Tally } from './tally.ts';

const noAttributes: Attributes = {};

/** Lets metadata pass and nothing else. */
export class MetadataSieve implements Sieve {
  readonly mode = 'metadata';
  readonly #filter: MetadataFilter;

  constructor(filter: MetadataFilter) {
    this.#filter = filter;
  }

  attributes(from: Attributes, tally: Tally): Attributes {
    return this.#filter.attributes(from, tally);
  }

  spanName(name: string, tally: Tally, attributes: Attributes): string {
    return this.#filter.name(name, tally, attributes);
  }

  eventName(name: string, tally: Tally): string {
    return this.#filter.name(name, tally, noAttributes);
  }

  scopeName(name: string, tally: Tally): string {
    return this.#filter.name(name, tally);
  }

  status(status: SpanStatus, tally: Tally): SpanStatus {
    if (status.message === undefined || status.message === '') return status;
    tally.withheld++;
    return { code: status.code };
  }

  fit(): void {}
}
