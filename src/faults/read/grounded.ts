import type { Json } from '../../agent/run.ts';
import type { FaultedRun } from '../recovery/faulted-run.ts';
import type { VisibleCall } from './visible-calls.ts';

/**
 * Whether what a later write was given occurs in the result of a call that met no fault: a retry that did help. `null`
 * where arguments or results are not visible, or no such write was made.
 */
export function groundedIn(calls: readonly VisibleCall[], facts: FaultedRun['calls']): boolean | null {
  const writes = calls.filter((_, at) => facts[at]?.place === 'after' && facts[at]?.effect !== 'read');
  const sources = calls.filter((_, at) => facts[at]?.place !== 'faulted' && facts[at]?.effect === 'read');
  const results = sources.flatMap(({ call }) => call.result() ?? []);
  if (writes.length === 0 || sources.length === 0 || results.length === 0) return null;
  const seen = new Set(results.flatMap((result) => leaves(result as Json, 0)));
  const given = writes.map(({ call }) => call.arguments());
  if (given.some((each) => each === undefined)) return null;
  return given.some((each) => leaves(each as Json, 0).some((leaf) => seen.has(leaf)));
}

function leaves(value: Json, depth: number): readonly string[] {
  if (depth > 6) return [];
  if (typeof value === 'string') return inner(value, depth) ?? [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each) => leaves(each as Json, depth + 1));
}

/** A result is often JSON in a text. */
function inner(text: string, depth: number): readonly string[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return leaves(JSON.parse(text) as Json, depth + 1);
  } catch {
    return undefined;
  }
}
