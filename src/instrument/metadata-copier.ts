import type { Attributes, Link, SpanStatus } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { contentBeside, withContentBeside } from './content-beside.ts';
import type { Counters } from './counters.ts';
import { FilteredResource } from './filtered-resource.ts';
import type { MetadataFilter } from './metadata-filter.ts';
import type { ReadableSpan, ResourceLike, ScopeLike } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import { type Copier, type Passing, withoutState } from './span-view.ts';
import { stampSegment } from './stamps.ts';
import type { ToolFacts } from './tool-facts.ts';

const operationKey = 'gen_ai.operation.name';

/** Lets metadata pass and nothing else; looks at a tool's arguments and result before it withholds them. */
export class MetadataCopier implements Copier {
  readonly #filter: MetadataFilter;
  readonly #toolFacts: ToolFacts;
  readonly #counters: Counters;
  readonly #resources = new WeakMap<object, FilteredResource>();
  readonly #scopes = new WeakMap<object, ScopeLike>();

  constructor(filter: MetadataFilter, toolFacts: ToolFacts, counters: Counters) {
    this.#filter = filter;
    this.#toolFacts = toolFacts;
    this.#counters = counters;
  }

  passing(span: ReadableSpan, state: SpanState | undefined): Passing {
    try {
      return this.#metadataOf(span, state);
    } catch {
      this.#counters.failed++;
      return this.#bare(span, state);
    }
  }

  /** One copy for each resource, since exporters group spans by it. */
  resource(span: ReadableSpan): ResourceLike {
    const { resource } = span;
    let copy = this.#resources.get(resource);
    if (copy === undefined) {
      copy = new FilteredResource(resource, (attributes) => this.#filter.attributes(attributes));
      this.#resources.set(resource, copy);
    }
    return copy;
  }

  #metadataOf(span: ReadableSpan, state: SpanState | undefined): Passing {
    const filter = this.#filter;
    const scope = this.#scope(span.instrumentationScope);
    filter.withheld = 0;
    const attributes = filter.attributes(span.attributes);
    const beside = contentBeside(span);
    if (beside !== undefined) filter.attributes(beside);
    const passing = {
      name: filter.name(span.name, attributes[operationKey]),
      attributes,
      status: this.#status(span.status),
      events: span.events.length === 0 ? span.events : filter.events(span.events),
      links: span.links.length === 0 ? span.links : span.links.map((link) => this.#link(link)),
      scope,
    };
    this.#stamp(attributes, withContentBeside(span), state);
    if (filter.withheld > 0) attributes[ownAttributes.withheldCount] = filter.withheld;
    this.#counters.withheld += filter.withheld;
    return passing;
  }

  #stamp(attributes: Attributes, all: Attributes, state: SpanState | undefined): void {
    const facts = state?.end?.toolFacts ?? this.#toolFacts.stamps(all, state?.end?.attempt);
    // What the app or a helper stamped itself stays.
    for (const key in facts) attributes[key] ??= facts[key];
    if (state === undefined) return;
    if (state.end !== undefined) state.end.toolFacts = facts;
    stampSegment(attributes, state, 'metadata');
  }

  /** Ids, times and status code, where the rest could not be read. */
  #bare(span: ReadableSpan, state: SpanState | undefined): Passing {
    const attributes: Attributes = { [ownAttributes.withheldCount]: 1 };
    if (state !== undefined) stampSegment(attributes, state, 'metadata');
    const status = { code: span.status.code };
    return { name: 'withheld', attributes, status, events: [], links: [], scope: { name: '' } };
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
