import type { AttributeValue } from '../../src/trace/attributes.ts';
import type { Span } from '../../src/trace/span.ts';

/** A span of plain objects and lists, so that two can be compared member by member. */
export function plainSpan(span: Span): unknown {
  return plain({ ...span });
}

function plain(value: AttributeValue | object | undefined): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(plain);
  const isMap = typeof (value as Map<string, unknown>).entries === 'function';
  if (isMap) return { map: [...(value as ReadonlyMap<string, AttributeValue>)].map(([k, v]) => [k, plain(v)]) };
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
}
