import { requireCounts, requireShare } from './counts.ts';
import type { Interval } from './interval.ts';
import { normalQuantile } from './normal.ts';

/**
 * Wilson's score interval of a rate, two-sided, for display: near its nominal coverage on average, sometimes below. Gates
 * take the exact bounds of `clopper-pearson.ts`. Without trials it is [0, 1].
 *
 * @example
 * wilson(188, 200); // { lower: 0.8981…, upper: 0.9653… }
 */
export function wilson(successes: number, trials: number, confidence = 0.95): Interval {
  requireCounts(successes, trials);
  requireShare('confidence', confidence);
  if (trials === 0) return { lower: 0, upper: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const z2 = z * z;
  const centre = successes + z2 / 2;
  const spread = z * Math.sqrt((successes * (trials - successes)) / trials + z2 / 4);
  return {
    lower: successes === 0 ? 0 : (centre - spread) / (trials + z2),
    upper: successes === trials ? 1 : (centre + spread) / (trials + z2),
  };
}
