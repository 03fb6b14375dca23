import { clopperPearsonLower, clopperPearsonUpper } from './clopper-pearson.ts';
import type { Decision } from './decision.ts';

/**
 * Decides "the rate is at least `minimum`" by exact one-sided bounds: passed when the lower bound reaches it, failed when
 * the upper bound stays below it.
 *
 * @example
 * rateAtLeast(20, 20, 0.85); // 'pass'
 * rateAtLeast(19, 20, 0.85); // 'insufficient'
 */
export function rateAtLeast(successes: number, trials: number, minimum: number, confidence = 0.95): Decision {
  if (trials === 0) return 'insufficient';
  if (clopperPearsonLower(successes, trials, confidence) >= minimum) return 'pass';
  return clopperPearsonUpper(successes, trials, confidence) < minimum ? 'fail' : 'insufficient';
}

/**
 * Decides "the rate is at most `maximum`". With maximum 0.05 and exceedances as successes this is "p95 ≤ bound", ties
 * and censored runs included.
 *
 * @example
 * rateAtMost(4, 200, 0.05); // 'pass': p95 is within the bound
 */
export function rateAtMost(successes: number, trials: number, maximum: number, confidence = 0.95): Decision {
  if (trials === 0) return 'insufficient';
  if (clopperPearsonUpper(successes, trials, confidence) <= maximum) return 'pass';
  return clopperPearsonLower(successes, trials, confidence) > maximum ? 'fail' : 'insufficient';
}
