import type { Attributes, AttributeValue } from '../attributes.ts';
import type { LogRecord } from '../log-record.ts';
import type { Span } from '../span.ts';
import { contentRole } from './content-keys.ts';
import { isWord } from './metadata-values.ts';
import { textsIn } from './place-texts.ts';
import { isPlaceholder } from './placeholder.ts';

/** One place in a span or log record where text can stand. */
export interface Place {
  /** As a report names it: `attribute gen_ai.input.messages`, `status message`. No content. */
  readonly name: string;
  readonly kind:
    | 'attribute'
    | 'key'
    | 'span name'
    | 'event name'
    | 'scope'
    | 'status message'
    | 'trace state'
    | 'log body';
  /** Of an attribute. */
  readonly key: string;
  readonly value: AttributeValue;
  /** Counts towards the content of its span; resource and scope do not. */
  readonly ofSpan: boolean;
}

/** Every place of a span, its resource and its scope. */
export function placesOf(span: Span): Place[] {
  const places: Place[] = [text('span name', 'span name', span.name)];
  places.push(...attributePlaces('', span.attributes, true));
  if (span.status.message !== '') places.push(text('status message', 'status message', span.status.message));
  for (const [index, event] of span.events.entries()) {
    places.push(text(`name of event ${index + 1}`, 'event name', event.name));
    places.push(...attributePlaces(`event ${index + 1}, `, event.attributes, true));
  }
  for (const [index, link] of span.links.entries()) {
    places.push(...attributePlaces(`link ${index + 1}, `, link.attributes, true));
    if (link.traceState !== '') places.push(text(`trace state of link ${index + 1}`, 'trace state', link.traceState));
  }
  if (span.traceState !== '') places.push(text('trace state', 'trace state', span.traceState));
  places.push(...attributePlaces('resource ', span.resource.attributes, false));
  places.push({ ...text('scope name', 'scope', span.scope.name), ofSpan: false });
  places.push(...attributePlaces('scope ', span.scope.attributes, false));
  return places;
}

/** An attribute that some convention keeps content in, and that holds any. */
export function isContentPlace({ kind, key, value }: Place): boolean {
  if (kind !== 'attribute' || contentRole(key) === undefined) return false;
  return textsIn(value).some(({ text: held }) => held !== '' && !isPlaceholder(held));
}

/** Every place of a log record. */
export function placesOfLog(log: LogRecord): Place[] {
  const places: Place[] = attributePlaces('log ', log.attributes, true);
  if (log.eventName !== '') places.push(text('log event name', 'event name', log.eventName));
  if (log.body !== null && log.body !== '') {
    places.push({ name: 'log body', kind: 'log body', key: '', value: log.body, ofSpan: true });
  }
  return places;
}

function attributePlaces(where: string, attributes: Attributes, ofSpan: boolean): Place[] {
  const places: Place[] = [];
  for (const [key, value] of attributes) {
    const name = `${where}attribute ${shownKey(key)}`;
    places.push({ name, kind: 'attribute', key, value, ofSpan });
    if (!isPlainKey(key)) {
      places.push({ name: `${where}key of an attribute`, kind: 'key', key: '', value: key, ofSpan });
    }
  }
  return places;
}

function text(name: string, kind: Place['kind'], value: string): Place {
  return { name, kind, key: '', value, ofSpan: true };
}

/** A key that code has written, and that need not be looked at. */
function isPlainKey(key: string): boolean {
  return key.length <= 128 && /^[A-Za-z_][\w.:/-]*$/.test(key) && (key.length > 80 || isWord(key));
}

/** Keys can be content too: some flatten what a user gave. Then only the length is shown. */
function shownKey(key: string): string {
  return isPlainKey(key) ? key : `of ${key.length} characters`;
}
