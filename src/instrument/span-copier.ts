import type { Attributes, Link } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { contentBeside, withContentBeside } from './content-beside.ts';
import type { Counters } from './counters.ts';
import { FilteredResource } from './filtered-resource.ts';
import { plainSchemaUrl } from './schema-url.ts';
import type { ReadableSpan, ResourceLike, ScopeLike, TimedEvent } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import type { PassingParts, Sieve } from './sieve.ts';
import { withoutState } from './span-context.ts';
import { stampSegment } from './stamps.ts';
import { newTally, type Tally } from './tally.ts';
import type { ToolFacts } from './tool-facts.ts';

/** What of a span may leave. */
export interface Passing extends PassingParts {
  readonly scope: ScopeLike;
}

/** Copies of a span what one output may send. Never throws. */
export class SpanCopier {
  readonly #sieve: Sieve;
  readonly #toolFacts: ToolFacts;
  readonly #counters: Counters;
  readonly #resources = new WeakMap<object, FilteredResource>();
  /** Asked for at every span, and a look into a WeakMap is slow; nearly always it is the same one. */
  #lastResource: ResourceLike | undefined = undefined;
  #lastCopy: FilteredResource | undefined = undefined;
  readonly #scopes = new WeakMap<object, ScopeLike>();

  constructor(sieve: Sieve, toolFacts: ToolFacts, counters: Counters) {
    this.#sieve = sieve;
    this.#toolFacts = toolFacts;
    this.#counters = counters;
  }

  /** Of a span that has ended: stamped, and counted. */
  passing(span: ReadableSpan, state: SpanState | undefined): Passing {
    try {
      const tally = newTally();
      const beside = contentBeside(span);
      const passing = this.#copy(span, beside, tally);
      this.#stampTool(passing.attributes, span, state);
      if (state !== undefined) stampSegment(passing.attributes, state, this.#sieve.mode);
      this.#mark(passing.attributes, tally);
      return passing;
    } catch {
      this.#counters.failed++;
      return this.#bare(span, state);
    }
  }

  /** Of a span that is running: what could leave if it ended now. */
  glimpse(span: ReadableSpan): Passing {
    try {
      return this.#copy(span, contentBeside(span), newTally());
    } catch {
      return this.#bare(span, undefined);
    }
  }

  /** One copy for each resource, since exporters group spans by it. */
  resource(span: ReadableSpan): ResourceLike {
    const { resource } = span;
    if (resource === this.#lastResource && this.#lastCopy !== undefined) return this.#lastCopy;
    let copy = this.#resources.get(resource);
    if (copy === undefined) {
      copy = new FilteredResource(resource, (attributes) => this.#sieve.attributes(attributes, newTally()));
      this.#resources.set(resource, copy);
    }
    this.#lastResource = resource;
    this.#lastCopy = copy;
    return copy;
  }

  #copy(span: ReadableSpan, beside: Attributes | undefined, tally: Tally): Passing {
    const sieve = this.#sieve;
    const attributes = sieve.attributes(span.attributes, tally);
    if (beside !== undefined) Object.assign(attributes, sieve.attributes(beside, tally));
    const passing = {
      name: sieve.spanName(span.name, tally, attributes),
      attributes,
      status: sieve.status(span.status, tally),
      events: span.events.map((event) => this.#event(event, tally)),
      links: span.links.map((link) => this.#link(link, tally)),
      scope: this.#scope(span.instrumentationScope),
    };
    sieve.fit(passing, tally);
    return passing;
  }

  #stampTool(attributes: Attributes, span: ReadableSpan, state: SpanState | undefined): void {
    const facts = state?.end?.toolFacts ?? this.#toolFacts.stamps(withContentBeside(span), state?.end);
    // What the app or a helper stamped itself stays.
    for (const key in facts) attributes[key] ??= facts[key];
    if (state?.end !== undefined) state.end.toolFacts = facts;
  }

  #mark(attributes: Attributes, { redacted, withheld, truncated }: Tally): void {
    if (redacted > 0) attributes[ownAttributes.redactedCount] = redacted;
    if (truncated > 0) attributes[ownAttributes.truncatedCount] = truncated;
    if (withheld > 0) attributes[ownAttributes.withheldCount] = withheld;
    this.#counters.redacted += redacted;
    this.#counters.truncated += truncated;
    this.#counters.withheld += withheld;
  }

  /** Ids, times and status code, where the rest could not be read. */
  #bare(span: ReadableSpan, state: SpanState | undefined): Passing {
    const attributes: Attributes = { [ownAttributes.withheldCount]: 1 };
    if (state !== undefined) stampSegment(attributes, state, this.#sieve.mode);
    const status = { code: span.status.code };
    return { name: 'withheld', attributes, status, events: [], links: [], scope: { name: '' } };
  }

  #event(event: TimedEvent, tally: Tally): TimedEvent {
    const { time, droppedAttributesCount } = event;
    return {
      time,
      name: this.#sieve.eventName(event.name, tally),
      ...(event.attributes === undefined ? {} : { attributes: this.#sieve.attributes(event.attributes, tally) }),
      ...(droppedAttributesCount === undefined ? {} : { droppedAttributesCount }),
    };
  }

  #link(link: Link, tally: Tally): Link {
    const { droppedAttributesCount } = link;
    return {
      context: withoutState(link.context),
      ...(link.attributes === undefined ? {} : { attributes: this.#sieve.attributes(link.attributes, tally) }),
      ...(droppedAttributesCount === undefined ? {} : { droppedAttributesCount }),
    };
  }

  #scope(scope: ScopeLike): ScopeLike {
    let copy = this.#scopes.get(scope);
    if (copy === undefined) {
      const tally = newTally();
      const { version, schemaUrl, attributes } = scope;
      copy = {
        name: this.#sieve.scopeName(scope.name, tally),
        ...(version === undefined ? {} : { version: this.#sieve.scopeName(version, tally) }),
        ...plainSchemaUrl(schemaUrl),
        ...(attributes === undefined ? {} : { attributes: this.#sieve.attributes(attributes, tally) }),
      };
      this.#scopes.set(scope, copy);
    }
    return copy;
  }
}
