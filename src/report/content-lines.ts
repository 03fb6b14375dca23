import type { Attributes, AttributeValue } from '../trace/attributes.ts';
import type { Span } from '../trace/span.ts';
import { visibleText } from './visible-text.ts';

const longestValue = 2_000;

/**
 * What a span says in its own words: attributes, events, status message. Content: for a person at their own terminal who
 * asked for it, and for no file.
 */
export function contentLines(span: Span): string[] {
  const message = span.status.message === '' ? [] : [['status message', span.status.message] as const];
  const own = [...message, ...entries(span.attributes)];
  const events = span.events.flatMap(({ name, attributes }) =>
    entries(attributes).map(([key, value]) => [`${name}: ${key}`, value] as const),
  );
  return [`span ${span.spanId} ${visibleText(span.name)}`, ...[...own, ...events].flatMap(valueLines)];
}

function entries(attributes: Attributes): (readonly [string, string])[] {
  return [...attributes].map(([key, value]) => [key, valueText(value)]);
}

function valueText(value: AttributeValue): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(plain(value)) ?? '';
}

function plain(value: AttributeValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries([...(value as Attributes)].map(([key, each]) => [key, plain(each)]));
}

function valueLines([key, value]: readonly [string, string]): string[] {
  const cut = value.length > longestValue ? `${value.slice(0, longestValue)}… ${value.length} characters` : value;
  const [first = '', ...more] = cut.split(/\r?\n/).map(visibleText);
  return [`  ${visibleText(key)}: ${first}`, ...more.map((line) => `    ${line}`)];
}
