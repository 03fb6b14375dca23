import { binomialProbability } from './binomial-probability.ts';
import { binomialAtMost } from './binomial-tail.ts';
import { requireCounts } from './counts.ts';

export interface McNemarResult {
  /** Exact two-sided p-value. */
  readonly p: number;
  /** Mid-p: half of the observed outcome's probability; closer to nominal, not guaranteed. */
  readonly midP: number;
}

/**
 * Exact McNemar test on pairs with one yes-or-no outcome each: only the pairs that differ count.
 *
 * @param onlyFirst - pairs where the first passed and the second did not
 * @param onlySecond - pairs where the second passed and the first did not
 * @example
 * mcnemar(6, 0).p; // 0.03125
 */
export function mcnemar(onlyFirst: number, onlySecond: number): McNemarResult {
  const pairs = onlyFirst + onlySecond;
  requireCounts(onlyFirst, pairs);
  if (pairs === 0) return { p: 1, midP: 1 };
  const fewer = Math.min(onlyFirst, onlySecond);
  const { tail, last } = halfTail(fewer, pairs);
  return { p: Math.min(1, 2 * tail), midP: Math.min(1, 2 * tail - last) };
}

/** P(X ≤ k) and P(X = k) for X binomial(n, ½): whole numbers over 2ⁿ, exact as long as they fit a double. */
function halfTail(k: number, n: number): { tail: number; last: number } {
  if (n > 1_000) return { tail: binomialAtMost(k, n, 0.5), last: binomialProbability(k, n, 0.5) };
  let ways = 1;
  let sum = 1;
  for (let i = 0; i < k; i += 1) {
    ways = (ways * (n - i)) / (i + 1);
    sum += ways;
  }
  return { tail: sum * 2 ** -n, last: ways * 2 ** -n };
}
