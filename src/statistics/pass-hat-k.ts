import { requireCounts } from './counts.ts';

/**
 * pass^k: the chance that k runs all pass, estimated without bias as C(passes, k) / C(trials, k). `null` where fewer than
 * k trials ran: the rate to the power of k would be too high.
 *
 * @example
 * passHatK(4, 5, 3); // 0.4
 */
export function passHatK(passes: number, trials: number, k: number): number | null {
  requireCounts(passes, trials);
  if (!Number.isSafeInteger(k) || k < 1) throw new RangeError(`expected k to be a whole number from 1, got ${k}`);
  if (trials < k) return null;
  if (passes < k) return 0;
  let share = 1;
  for (let index = 0; index < k; index += 1) share *= (passes - index) / (trials - index);
  return share;
}
