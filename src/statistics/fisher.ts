import { binomialProbability } from './binomial-probability.ts';
import { requireCounts } from './counts.ts';

/** A rate as it was counted. */
export interface Proportion {
  readonly successes: number;
  readonly trials: number;
}

/** Tables as probable as the observed one, but for rounding, count as such. */
const roundingSlack = 1 + 1e-9;

/**
 * Fisher's exact test of two rates, two-sided: the probability of all tables that are no more probable than this one.
 *
 * @example
 * fisher({ successes: 13, trials: 200 }, { successes: 1, trials: 200 }); // 0.0015…
 */
export function fisher(first: Proportion, second: Proportion): number {
  requireCounts(first.successes, first.trials);
  requireCounts(second.successes, second.trials);
  const successes = first.successes + second.successes;
  const trials = first.trials + second.trials;
  if (successes === 0 || successes === trials) return 1;
  const p = successes / trials;
  const whole = binomialProbability(successes, trials, p);
  const probability = (a: number): number =>
    (binomialProbability(a, first.trials, p) * binomialProbability(successes - a, second.trials, p)) / whole;
  const observed = probability(first.successes) * roundingSlack;
  let sum = 0;
  for (let a = Math.max(0, successes - second.trials); a <= Math.min(successes, first.trials); a += 1) {
    const each = probability(a);
    if (each <= observed) sum += each;
  }
  return Math.min(1, sum);
}
