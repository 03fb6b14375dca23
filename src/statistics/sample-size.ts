import { requireShare } from './counts.ts';
import { normalQuantile } from './normal.ts';
import { rateAtLeast, rateAtMost } from './rate-claim.ts';

const mostRuns = 1_000_000;

/**
 * Runs needed to see an event of the given rate at least once.
 *
 * @example
 * runsToSee(0.05); // 59
 */
export function runsToSee(rate: number, confidence = 0.95): number {
  requireShare('rate', rate);
  requireShare('confidence', confidence);
  return Math.ceil(Math.log1p(-confidence) / Math.log1p(-rate) - 1e-9);
}

/** The chance that an event of the given rate shows in so many runs. */
export function chanceToSee(rate: number, runs: number): number {
  return -Math.expm1(runs * Math.log1p(-rate));
}

/**
 * Runs per arm needed to tell two rates apart: two-sided test, normal approximation with the pooled variance under
 * "no difference".
 *
 * @example
 * runsPerArm(0.94, 0.9); // 721
 */
export function runsPerArm(first: number, second: number, confidence = 0.95, power = 0.8): number {
  requireShare('confidence', confidence);
  requireShare('power', power);
  if (first === second) return Number.POSITIVE_INFINITY;
  const pooled = (first + second) / 2;
  const underNull = normalQuantile((1 + confidence) / 2) * Math.sqrt(2 * pooled * (1 - pooled));
  const underDifference = normalQuantile(power) * Math.sqrt(first * (1 - first) + second * (1 - second));
  return Math.ceil((underNull + underDifference) ** 2 / (first - second) ** 2);
}

export interface FurtherRuns {
  /** Further runs, if every one of them goes well; `null` where more than a million would not do. */
  readonly atBest: number | null;
  /** Further runs, if the rate stays as observed; `null` where that rate never decides. */
  readonly atObservedRate: number | null;
}

/**
 * How many more runs would show "the rate is at least `minimum`".
 *
 * @example
 * furtherRunsAtLeast(19, 20, 0.85); // { atBest: 10, … }
 */
export function furtherRunsAtLeast(successes: number, trials: number, minimum: number, confidence = 0.95): FurtherRuns {
  const rate = trials === 0 ? 1 : successes / trials;
  const passes = (more: number, good: number): boolean =>
    rateAtLeast(successes + good, trials + more, minimum, confidence) === 'pass';
  return {
    atBest: firstThat((more) => passes(more, more)),
    atObservedRate: rate < minimum ? null : firstThat((more) => passes(more, Math.floor(more * rate))),
  };
}

/** How many more runs would show "the rate is at most `maximum`", exceedances counted as successes. */
export function furtherRunsAtMost(successes: number, trials: number, maximum: number, confidence = 0.95): FurtherRuns {
  const rate = trials === 0 ? 0 : successes / trials;
  const passes = (more: number, bad: number): boolean =>
    rateAtMost(successes + bad, trials + more, maximum, confidence) === 'pass';
  return {
    atBest: firstThat((more) => passes(more, 0)),
    atObservedRate: rate > maximum ? null : firstThat((more) => passes(more, Math.ceil(more * rate))),
  };
}

/** Doubles until it holds, then halves the gap: exact where more runs never hurt, near it where whole counts make steps. */
function firstThat(holds: (more: number) => boolean): number | null {
  if (holds(0)) return 0;
  let high = 1;
  while (!holds(high)) {
    high *= 2;
    if (high > mostRuns) return null;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
