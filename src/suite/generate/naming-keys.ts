import type { Span } from '../../trace/span.ts';
import { type Candidate, candidate } from './candidate.ts';
import { isWritable } from './span-identity.ts';

/** Most names that are written out. */
const mostNames = 10;

/** An attribute that names things of one kind, and all the names that it holds in these runs. */
export interface NamingKey {
  readonly key: string;
  readonly names: readonly string[];
}

/**
 * The attributes that hold one of these names somewhere, those first that are called after what they name, then those
 * that hold the fewest others. Left out is one that holds anything else than names.
 */
export function namingKeys(spans: readonly Span[], wanted: ReadonlySet<string>, kind: 'agent' | 'tool'): NamingKey[] {
  const valuesByKey = new Map<string, Set<unknown>>();
  for (const { attributes } of spans) {
    for (const [key, value] of attributes) {
      if (typeof value === 'string' && wanted.has(value)) valuesByKey.set(key, new Set());
    }
  }
  for (const { attributes } of spans) {
    for (const [key, values] of valuesByKey) if (attributes.has(key)) values.add(attributes.get(key));
  }
  return [...valuesByKey]
    .flatMap(([key, values]) => {
      const names = [...values].filter((value) => typeof value === 'string').filter(isWritable);
      return names.length === values.size && names.length <= mostNames ? [{ key, names: names.sort() }] : [];
    })
    .sort(
      (a, b) => rank(a.key, kind) - rank(b.key, kind) || a.names.length - b.names.length || (a.key < b.key ? -1 : 1),
    );
}

function rank(key: string, kind: string): number {
  if (key.startsWith(`gen_ai.${kind}.`)) return 0;
  return key.includes(kind) ? 1 : 2;
}

/** Every span that carries this attribute holds one of these values there. */
export function oneOfThese(key: string, values: readonly string[]): Candidate {
  const [only] = values;
  const test = values.length === 1 && only !== undefined ? only : { oneOf: [...values].sort() };
  return candidate('SpansMatch', {
    match: { attributes: { [key]: { exists: true } } },
    expect: { every: { attributes: { [key]: test } } },
  });
}
