import type { SpanQuery } from '../trace/span-query.ts';
import type { View } from './assertion.ts';

/** An answer of a query to a span that is here. */
export type Answer = 'matches' | 'matches-not';

/**
 * Whether spans that are still missing could turn this answer of a query round. A missing child may be the one that
 * `parentOf` or `above` asks for, any missing span the one that `after` asks for; a missing ancestor the one that
 * `childOf` or `under` asks for, where parents are missing at all. What a span says of itself never changes.
 */
export function mayTurn(query: SpanQuery, answer: Answer, view: View): boolean {
  const parentsMissing = view.run.traces.some(({ orphans }) => orphans.length > 0);
  // A relation that does not hold may come to hold, never the other way round.
  return hasRelation(query, answer === 'matches-not', parentsMissing);
}

/** Whether a relation occurs where it counts as it stands (`asItStands`), or under an odd number of `not`. */
function hasRelation(query: SpanQuery, asItStands: boolean, parentsMissing: boolean): boolean {
  const { childOf, under, parentOf, above, after, not, all = [], any = [] } = query;
  const within = (inner: SpanQuery): boolean => hasRelation(inner, asItStands, parentsMissing);
  const up = [childOf, under].filter((inner) => inner !== undefined);
  const missable = [parentOf, above, after].filter((inner) => inner !== undefined);
  if (asItStands && (missable.length > 0 || (up.length > 0 && parentsMissing))) return true;
  return (
    [...up, ...missable, ...all, ...any].some(within) ||
    (not !== undefined && hasRelation(not, !asItStands, parentsMissing))
  );
}
