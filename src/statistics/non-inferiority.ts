import type { Decision } from './decision.ts';
import type { Interval } from './interval.ts';

/**
 * Decides "no worse than before by more than `margin`" from an interval of the difference (after less before): passed
 * only when the whole interval lies above −margin. "No significant difference" is never a pass.
 *
 * @example
 * nonInferiority({ lower: -0.01, upper: 0.04 }, 0.02); // 'pass'
 */
export function nonInferiority(difference: Interval | null, margin: number): Decision {
  if (!(margin >= 0)) throw new RangeError(`expected a margin of at least 0, got ${margin}`);
  if (difference === null) return 'insufficient';
  if (difference.lower > -margin) return 'pass';
  return difference.upper < -margin ? 'fail' : 'insufficient';
}
