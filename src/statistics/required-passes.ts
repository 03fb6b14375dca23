import { requireCounts } from './counts.ts';
import { passHatK } from './pass-hat-k.ts';
import { rateAtLeast } from './rate-claim.ts';

/** Fewest passes among `trials` that show "the rate is at least `minimum`"; `null` where not even all of them do. */
export function passesForRate(trials: number, minimum: number, confidence = 0.95): number | null {
  return fewest(trials, (passes) => rateAtLeast(passes, trials, minimum, confidence) === 'pass');
}

/** Fewest passes among `trials` whose pass^k is at least `minimum`; `null` where trials < k. */
export function passesForPassHatK(trials: number, k: number, minimum: number): number | null {
  return fewest(trials, (passes) => (passHatK(passes, trials, k) ?? Number.NEGATIVE_INFINITY) >= minimum);
}

/**
 * Whether the outcome of a fixed number of trials can still change. Stopping when it cannot is free: the verdict is the
 * one that all trials would have given.
 *
 * @param required - passes needed
 * @param passed - passes so far
 * @param remaining - trials still to come
 */
export function decidedAlready(required: number, passed: number, remaining: number): 'passed' | 'failed' | 'open' {
  if (passed >= required) return 'passed';
  return passed + remaining < required ? 'failed' : 'open';
}

function fewest(trials: number, holds: (passes: number) => boolean): number | null {
  requireCounts(0, trials);
  if (!holds(trials)) return null;
  let low = 0;
  let high = trials;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
