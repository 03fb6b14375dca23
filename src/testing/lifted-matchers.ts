import { type AsymmetricMatcher, isAsymmetricMatcher } from '../trace/asymmetric-matcher.ts';

const mark = '\u0000asymmetric matcher ';

export interface LiftedMatchers {
  /** Plain data, with a placeholder for each matcher. */
  readonly plain: unknown;
  /** Puts the matchers back in the places of their placeholders. */
  restore(value: unknown): unknown;
}

/**
 * Takes asymmetric matchers (`expect.stringContaining('ORD-')`) out of parameters, so that a schema of plain data can check
 * the rest, and puts them back.
 */
export function liftMatchers(parameters: unknown): LiftedMatchers {
  const matchers: AsymmetricMatcher[] = [];
  const lift = (value: unknown): unknown => {
    if (isAsymmetricMatcher(value)) return `${mark}${matchers.push(value) - 1}`;
    return mapped(value, lift);
  };
  const restore = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith(mark)) return matchers[Number(value.slice(mark.length))];
    return mapped(value, restore);
  };
  const plain = lift(parameters);
  return { plain, restore: matchers.length === 0 ? (value) => value : restore };
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]));
}
