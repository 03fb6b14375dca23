import type { Attributes } from '@opentelemetry/api';
import { plainSchemaUrl } from './schema-url.ts';
import type { ResourceLike } from './sdk-shapes.ts';

/** What of a resource may leave. Its attributes may settle late, so they are filtered when they are read. */
export class FilteredResource implements ResourceLike {
  readonly schemaUrl?: string;
  readonly #from: ResourceLike;
  readonly #filter: (attributes: Attributes) => Attributes;
  #settled: Attributes | undefined = undefined;
  #isPending = true;

  constructor(from: ResourceLike, filter: (attributes: Attributes) => Attributes) {
    this.#from = from;
    this.#filter = filter;
    const { schemaUrl } = plainSchemaUrl(from.schemaUrl);
    if (schemaUrl !== undefined) this.schemaUrl = schemaUrl;
  }

  get attributes(): Attributes {
    if (this.#settled !== undefined) return this.#settled;
    const attributes = this.#filter(this.#from.attributes);
    if (!this.asyncAttributesPending) this.#settled = attributes;
    return attributes;
  }

  get asyncAttributesPending(): boolean {
    // Asked for with every span; what has settled stays so.
    this.#isPending &&= this.#from.asyncAttributesPending === true;
    return this.#isPending;
  }

  async waitForAsyncAttributes(): Promise<void> {
    await this.#from.waitForAsyncAttributes?.();
  }

  merge(): this {
    return this;
  }

  getRawAttributes(): [string, unknown][] {
    return Object.entries(this.attributes);
  }
}
