import { requireShare } from './counts.ts';

/**
 * An event of a smaller rate than this is missed by so many runs more often than `1 − confidence`: the exact upper bound of a
 * rate of which nothing was seen.
 *
 * @example
 * unseenRate(1); // 0.95
 * unseenRate(59); // 0.0495…
 */
export function unseenRate(runs: number, confidence = 0.95): number {
  requireShare('confidence', confidence);
  return runs === 0 ? 1 : -Math.expm1(Math.log1p(-confidence) / runs);
}
