import type { Attributes, Link } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { withContentBeside } from './content-beside.ts';
import type { ContentRedactor, Tally } from './content-redactor.ts';
import type { Counters } from './counters.ts';
import { FilteredResource } from './filtered-resource.ts';
import { fitCeiling } from './fit-ceiling.ts';
import type { ReadableSpan, ResourceLike, ScopeLike, TimedEvent } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import { type Copier, type Passing, withoutState } from './span-view.ts';
import { stampSegment } from './stamps.ts';
import type { ToolFacts } from './tool-facts.ts';

/** Lets content pass: bounded, redacted, truncated, marked, in this order. */
export class ContentCopier implements Copier {
  readonly #redactor: ContentRedactor;
  readonly #ceiling: number;
  readonly #toolFacts: ToolFacts;
  readonly #counters: Counters;
  readonly #resources = new WeakMap<object, FilteredResource>();
  readonly #scopes = new WeakMap<object, ScopeLike>();

  constructor(redactor: ContentRedactor, ceiling: number, toolFacts: ToolFacts, counters: Counters) {
    this.#redactor = redactor;
    this.#ceiling = ceiling;
    this.#toolFacts = toolFacts;
    this.#counters = counters;
  }

  passing(span: ReadableSpan, state: SpanState | undefined): Passing {
    try {
      return this.#contentOf(span, state);
    } catch {
      this.#counters.failed++;
      return this.#bare(span, state);
    }
  }

  resource(span: ReadableSpan): ResourceLike {
    const { resource } = span;
    let copy = this.#resources.get(resource);
    if (copy === undefined) {
      copy = new FilteredResource(resource, (attributes) => this.#redactor.attributes(attributes, newTally()));
      this.#resources.set(resource, copy);
    }
    return copy;
  }

  #contentOf(span: ReadableSpan, state: SpanState | undefined): Passing {
    const tally = newTally();
    const redactor = this.#redactor;
    const all = withContentBeside(span);
    const { message } = span.status;
    const passing = {
      name: redactor.text(span.name, 'message', tally),
      attributes: redactor.attributes(all, tally),
      status:
        message === undefined
          ? span.status
          : { code: span.status.code, message: redactor.text(message, 'message', tally) },
      events: span.events.map((event) => this.#event(event, tally)),
      links: span.links.map((link) => this.#link(link, tally)),
      scope: this.#scope(span.instrumentationScope),
    };
    fitCeiling(passing, this.#ceiling, tally);
    this.#stamp(passing.attributes, all, state);
    this.#mark(passing.attributes, tally);
    return passing;
  }

  #stamp(attributes: Attributes, all: Attributes, state: SpanState | undefined): void {
    const facts = state?.end?.toolFacts ?? this.#toolFacts.stamps(all, state?.end?.attempt);
    for (const key in facts) attributes[key] ??= facts[key];
    if (state === undefined) return;
    if (state.end !== undefined) state.end.toolFacts = facts;
    stampSegment(attributes, state, 'content');
  }

  #mark(attributes: Attributes, tally: Tally): void {
    if (tally.redacted > 0) attributes[ownAttributes.redactedCount] = tally.redacted;
    if (tally.truncated > 0) attributes[ownAttributes.truncatedCount] = tally.truncated;
    if (tally.withheld > 0) attributes[ownAttributes.withheldCount] = tally.withheld;
    this.#counters.redacted += tally.redacted;
    this.#counters.truncated += tally.truncated;
    this.#counters.withheld += tally.withheld;
  }

  #bare(span: ReadableSpan, state: SpanState | undefined): Passing {
    const attributes: Attributes = { [ownAttributes.withheldCount]: 1 };
    if (state !== undefined) stampSegment(attributes, state, 'content');
    const status = { code: span.status.code };
    return { name: 'withheld', attributes, status, events: [], links: [], scope: { name: '' } };
  }

  #event(event: TimedEvent, tally: Tally): TimedEvent {
    const name = this.#redactor.text(event.name, 'message', tally);
    if (event.attributes === undefined) return { ...event, name };
    return { ...event, name, attributes: this.#redactor.attributes(event.attributes, tally) };
  }

  #link(link: Link, tally: Tally): Link {
    const context = withoutState(link.context);
    if (link.attributes === undefined) return { ...link, context };
    return { ...link, context, attributes: this.#redactor.attributes(link.attributes, tally) };
  }

  #scope(scope: ScopeLike): ScopeLike {
    let copy = this.#scopes.get(scope);
    if (copy === undefined) {
      const tally = newTally();
      copy = {
        ...scope,
        name: this.#redactor.text(scope.name, 'data', tally),
        ...(scope.attributes === undefined ? {} : { attributes: this.#redactor.attributes(scope.attributes, tally) }),
      };
      this.#scopes.set(scope, copy);
    }
    return copy;
  }
}

function newTally(): Tally {
  return { redacted: 0, withheld: 0, truncated: 0 };
}
