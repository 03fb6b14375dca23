import type { Attributes, AttributeValue } from '../attributes.ts';
import type { LogRecord } from '../log-record.ts';
import type { Resource, Scope, Span, SpanEvent, SpanLink } from '../span.ts';
import { metadataClass } from './metadata-keys.ts';
import { isWord } from './metadata-values.ts';
import { Placeholders } from './placeholders.ts';
import { type PrivacyRules, placeViolations } from './privacy-violations.ts';
import type { Place } from './span-places.ts';

const metadataOnly: PrivacyRules = {
  mode: 'metadata',
  ceilingBytes: undefined,
  canaries: [],
  secrets: [],
  forbidden: [],
  allowed: () => false,
  allowedPlaces: new Set(),
};

const none: Attributes = new Map();

/**
 * Replaces what the privacy check of metadata mode would name, and nothing else: ids, times, counts, names and structure
 * stay. Equal texts become equal placeholders, over all spans that one redactor sees.
 */
export class ContentRedactor {
  readonly #placeholders = new Placeholders();
  /** Resources and scopes stand on many spans: each is made once. */
  readonly #resources = new Map<Resource, Resource>();
  readonly #scopes = new Map<Scope, Scope>();

  /** Different texts that were replaced. */
  get replaced(): number {
    return this.#placeholders.count;
  }

  span(span: Span): Span {
    return {
      ...span,
      name: this.#text('span name', span.name),
      status: { ...span.status, message: this.#text('status message', span.status.message) },
      attributes: this.#attributes(span.attributes),
      events: span.events.map((event) => this.#event(event)),
      links: span.links.map((link) => this.#link(link)),
      traceState: this.#text('trace state', span.traceState),
      resource: this.#resource(span.resource),
      scope: this.#scope(span.scope),
    };
  }

  log(record: LogRecord): LogRecord {
    const place: Place = { name: '', kind: 'log body', key: '', value: record.body, ofSpan: true };
    return {
      ...record,
      body: this.#leaks(place) ? null : record.body,
      eventName: this.#text('event name', record.eventName),
      severityText: isWord(record.severityText) ? record.severityText : '',
      attributes: this.#leaks(place)
        ? new Map([...this.#attributes(record.attributes), ['redacted.body', this.#whole(record.body)]])
        : this.#attributes(record.attributes),
      resource: this.#resource(record.resource),
      scope: this.#scope(record.scope),
    };
  }

  #event(event: SpanEvent): SpanEvent {
    return { ...event, name: this.#text('event name', event.name), attributes: this.#attributes(event.attributes) };
  }

  #link(link: SpanLink): SpanLink {
    const traceState = this.#text('trace state', link.traceState);
    return { ...link, traceState, attributes: this.#attributes(link.attributes) };
  }

  #resource(resource: Resource): Resource {
    const made = this.#resources.get(resource) ?? { ...resource, attributes: this.#attributes(resource.attributes) };
    this.#resources.set(resource, made);
    return made;
  }

  #scope(scope: Scope): Scope {
    const made = this.#scopes.get(scope) ?? {
      ...scope,
      name: this.#text('scope', scope.name),
      version: this.#text('scope', scope.version),
      attributes: this.#attributes(scope.attributes),
    };
    this.#scopes.set(scope, made);
    return made;
  }

  #text(kind: Place['kind'], value: string): string {
    return this.#leaks({ name: '', kind, key: '', value, ofSpan: true }) ? this.#placeholders.of(value) : value;
  }

  /**
   * A placeholder in the place of words would be read as words. So it stands under a key of its own, and the words are
   * as absent as they are where they were never recorded; under a key of metadata it stands for a name.
   */
  #attributes(attributes: Attributes): Attributes {
    if (attributes.size === 0) return none;
    const leaking = new Set<string>();
    for (const [key, value] of attributes) {
      if (this.#leaks({ name: '', kind: 'attribute', key, value, ofSpan: true })) leaking.add(key);
    }
    // Half a message would be read as another one: where words of it go, its names and ids go with them.
    const families = new Set([...leaking].map(familyOf));
    const kept = new Map<string, AttributeValue>();
    for (const [key, value] of attributes) {
      const own = this.#key(key);
      const family = familyOf(key);
      if (!leaking.has(key)) kept.set(family !== undefined && families.has(family) ? `redacted.${own}` : own, value);
      else kept.set(this.#isMoved(key, own) ? `redacted.${key}` : own, this.#whole(value));
    }
    return kept;
  }

  #isMoved(key: string, own: string): boolean {
    return own === key && (metadataClass(key) === undefined || familyOf(key) !== undefined);
  }

  #key(key: string): string {
    const isPlain = key.length <= 128 && /^[A-Za-z_][\w.:/-]*$/.test(key) && (key.length > 80 || isWord(key));
    return isPlain || !this.#leaks({ name: '', kind: 'key', key: '', value: key, ofSpan: true })
      ? key
      : this.#placeholders.ofKey(key);
  }

  /** One placeholder for all of it: a part of a message may be a name, and a name in it may be content. */
  #whole(value: AttributeValue): string {
    return this.#placeholders.of(typeof value === 'string' ? value : JSON.stringify(plain(value)));
  }

  #leaks(place: Place): boolean {
    return place.value !== '' && placeViolations(place, none, metadataOnly).length > 0;
  }
}

/** What messages that are spread over numbered keys have in common. */
function familyOf(key: string): string | undefined {
  return /^(?:llm\.(?:input|output)_messages|gen_ai\.(?:prompt|completion))(?=\.\d)/.exec(key)?.[0];
}

function plain(value: AttributeValue): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return (value as readonly AttributeValue[]).map(plain);
  if (typeof value === 'object' && value !== null) {
    return [...(value as Attributes)].map(([key, member]) => [key, plain(member)]);
  }
  return typeof value === 'bigint' ? String(value) : value;
}
