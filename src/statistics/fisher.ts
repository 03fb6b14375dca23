import { binomialProbability } from './binomial-probability.ts';
import { requireCounts } from './counts.ts';
import { hypergeometricProbability } from './hypergeometric.ts';

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
  const probability = (a: number): number => hypergeometricProbability(a, first.trials, second.trials, successes);
  const observed = probability(first.successes) * roundingSlack;
  let sum = 0;
  for (let a = Math.max(0, successes - second.trials); a <= Math.min(successes, first.trials); a += 1) {
    const each = probability(a);
    if (each <= observed) sum += each;
  }
  return Math.min(1, sum);
}

/**
 * One-sided: the probability that the second rate comes out at most as high as it did, were both the same. Small means
 * that the second is worse.
 */
export function fisherWorse(first: Proportion, second: Proportion): number {
  requireCounts(first.successes, first.trials);
  requireCounts(second.successes, second.trials);
  const successes = first.successes + second.successes;
  let sum = 0;
  for (let b = Math.max(0, successes - first.trials); b <= second.successes; b += 1) {
    sum += hypergeometricProbability(b, second.trials, first.trials, successes);
  }
  return Math.min(1, sum);
}

/** A rate and how many runs are made of it. */
export interface PlannedRate {
  readonly rate: number;
  readonly trials: number;
}

/**
 * The exact chance that `fisherWorse` shows at most `alpha`: the power to notice a fall, and, for equal rates, the rate of
 * false alarms.
 *
 * @example
 * powerToNotice({ rate: 0.95, trials: 200 }, { rate: 0.8, trials: 40 }); // how often such a fall is noticed
 */
export function powerToNotice(before: PlannedRate, after: PlannedRate, alpha = 0.05): number {
  let power = 0;
  // The more passed before, the more may pass after and still be worse: the limit only moves up.
  let limit = -1;
  for (let a = 0; a <= before.trials; a += 1) {
    const first = { successes: a, trials: before.trials };
    while (limit < after.trials && fisherWorse(first, { successes: limit + 1, trials: after.trials }) <= alpha)
      limit += 1;
    let below = 0;
    for (let b = 0; b <= limit; b += 1) below += binomialProbability(b, after.trials, after.rate);
    power += binomialProbability(a, before.trials, before.rate) * below;
  }
  return power;
}
