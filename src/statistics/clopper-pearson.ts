import { binomialAtLeast, binomialAtMost } from './binomial-tail.ts';
import { bisect } from './bisect.ts';
import { requireCounts, requireShare } from './counts.ts';
import type { Interval } from './interval.ts';

/**
 * The exact interval of a rate (Clopper–Pearson): it covers the true rate at least as often as it says. Two-sided.
 * Without trials it is [0, 1].
 *
 * @example
 * clopperPearson(5, 10); // { lower: 0.18708603…, upper: 0.81291397… }
 */
export function clopperPearson(successes: number, trials: number, confidence = 0.95): Interval {
  const oneSided = (1 + confidence) / 2;
  return {
    lower: clopperPearsonLower(successes, trials, oneSided),
    upper: clopperPearsonUpper(successes, trials, oneSided),
  };
}

/**
 * The exact one-sided lower bound of a rate. For gates: "at least 0.85" is shown when this is at least 0.85.
 *
 * @example
 * clopperPearsonLower(20, 20); // 0.8608…
 */
export function clopperPearsonLower(successes: number, trials: number, confidence = 0.95): number {
  requireCounts(successes, trials);
  requireShare('confidence', confidence);
  if (successes === 0) return 0;
  const alpha = 1 - confidence;
  if (successes === trials) return alpha ** (1 / trials);
  return bisect((p) => binomialAtLeast(successes, trials, p), alpha, 0, 1);
}

/**
 * The exact one-sided upper bound of a rate.
 *
 * @example
 * clopperPearsonUpper(0, 59); // 0.0495…: 59 clean runs show a rate below 5 %
 */
export function clopperPearsonUpper(successes: number, trials: number, confidence = 0.95): number {
  requireCounts(successes, trials);
  requireShare('confidence', confidence);
  if (successes === trials) return 1;
  const alpha = 1 - confidence;
  if (successes === 0) return -Math.expm1(Math.log(alpha) / trials);
  return bisect((p) => -binomialAtMost(successes, trials, p), -alpha, 0, 1);
}
