import type { Attributes, Link, SpanStatus } from '@opentelemetry/api';
import type { MetadataFilter, SeenContent } from './metadata-filter.ts';
import type { ReadableSpan, ResourceLike, ScopeLike } from './sdk-shapes.ts';
import { type Passing, withoutState } from './span-copy.ts';

const operationKey = 'gen_ai.operation.name';

/** The parts of a span that may leave in metadata mode. */
export class MetadataPassing {
  readonly #filter: MetadataFilter;
  readonly #resources = new WeakMap<object, FilteredResource>();
  readonly #scopes = new WeakMap<object, ScopeLike>();

  constructor(filter: MetadataFilter) {
    this.#filter = filter;
  }

  of(span: ReadableSpan, seen: SeenContent): Passing {
    const filter = this.#filter;
    const attributes = filter.attributes(span.attributes, seen);
    return {
      name: filter.name(span.name, attributes[operationKey]),
      attributes,
      status: this.#status(span.status),
      events: span.events.length === 0 ? span.events : filter.events(span.events),
      links: span.links.length === 0 ? span.links : span.links.map((link) => this.#link(link)),
      resource: this.resource(span.resource),
      instrumentationScope: this.#scope(span.instrumentationScope),
      context: withoutState(span.spanContext()),
    };
  }

  /** Ids, times and status code, where the rest could not be read. */
  bare(span: ReadableSpan, attributes: Attributes): Passing {
    return {
      name: 'withheld',
      attributes,
      status: { code: span.status.code },
      events: [],
      links: [],
      resource: this.resource(span.resource),
      instrumentationScope: { name: '' },
      context: withoutState(span.spanContext()),
    };
  }

  /** One copy for each resource, since exporters group spans by it. */
  resource(resource: ResourceLike): ResourceLike {
    let copy = this.#resources.get(resource);
    if (copy === undefined) {
      copy = new FilteredResource(resource, this.#filter);
      this.#resources.set(resource, copy);
    }
    return copy;
  }

  #scope(scope: ScopeLike): ScopeLike {
    let copy = this.#scopes.get(scope);
    if (copy === undefined) {
      const { version, schemaUrl, attributes } = scope;
      copy = {
        name: this.#filter.name(scope.name),
        ...(version === undefined ? {} : { version: this.#filter.name(version) }),
        ...(schemaUrl === undefined ? {} : { schemaUrl }),
        ...(attributes === undefined ? {} : { attributes: this.#filter.attributes(attributes) }),
      };
      this.#scopes.set(scope, copy);
    }
    return copy;
  }

  #status(status: SpanStatus): SpanStatus {
    if (status.message === undefined || status.message === '') return status;
    this.#filter.withheld++;
    return { code: status.code };
  }

  #link(link: Link): Link {
    const attributes = link.attributes === undefined ? undefined : this.#filter.attributes(link.attributes);
    const context = withoutState(link.context);
    return { ...link, context, ...(attributes === undefined ? {} : { attributes }) };
  }
}

/** Attributes of a resource may settle late, so they are filtered when they are read. */
class FilteredResource implements ResourceLike {
  readonly #from: ResourceLike;
  readonly #filter: MetadataFilter;
  #settled: ResourceLike['attributes'] | undefined;
  readonly schemaUrl?: string;

  constructor(from: ResourceLike, filter: MetadataFilter) {
    this.#from = from;
    this.#filter = filter;
    if (from.schemaUrl !== undefined) this.schemaUrl = from.schemaUrl;
  }

  get attributes(): ResourceLike['attributes'] {
    if (this.#settled !== undefined) return this.#settled;
    const { withheld } = this.#filter;
    const attributes = this.#filter.attributes(this.#from.attributes);
    // What a resource lacks is no loss of the span at hand.
    this.#filter.withheld = withheld;
    if (this.asyncAttributesPending !== true) this.#settled = attributes;
    return attributes;
  }

  get asyncAttributesPending(): boolean {
    return this.#from.asyncAttributesPending === true;
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
