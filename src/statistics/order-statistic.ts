import { binomialAtLeast, binomialAtMost } from './binomial-tail.ts';
import { requireCounts, requireShare } from './counts.ts';

export interface RankInterval {
  /** 1-based ranks in ascending order; `null` where the sample is too small to bound that side. */
  readonly lowerRank: number | null;
  readonly upperRank: number | null;
  /** Probability that the interval holds the quantile, whatever the (continuous) distribution; at least that for ties. */
  readonly coverage: number;
}

/**
 * Ranks between which a quantile lies, free of any assumption on the distribution, each side missing with a chance of at
 * most (1 − confidence) / 2.
 *
 * @example
 * quantileRanks(200, 0.95); // { lowerRank: 184, upperRank: 197, coverage: 0.967… }
 */
export function quantileRanks(size: number, quantile: number, confidence = 0.95): RankInterval {
  const oneSided = (1 + confidence) / 2;
  const lowerRank = quantileLowerRank(size, quantile, oneSided);
  const upperRank = quantileUpperRank(size, quantile, oneSided);
  const below = lowerRank === null ? 0 : binomialAtMost(lowerRank - 1, size, quantile);
  const above = upperRank === null ? 0 : binomialAtLeast(upperRank, size, quantile);
  return { lowerRank, upperRank, coverage: 1 - below - above };
}

/**
 * The smallest rank whose value is at least the quantile with the given confidence (one-sided); `null` where even the
 * largest value does not show it.
 *
 * @example
 * quantileUpperRank(200, 0.95); // 196
 */
export function quantileUpperRank(size: number, quantile: number, confidence = 0.95): number | null {
  requireSample(size, quantile, confidence);
  // P(the quantile lies above rank r) = P(at least r values are below it).
  return firstRank(size, (rank) => binomialAtLeast(rank, size, quantile) <= 1 - confidence);
}

/** The largest rank whose value is at most the quantile with the given confidence (one-sided); else `null`. */
export function quantileLowerRank(size: number, quantile: number, confidence = 0.95): number | null {
  requireSample(size, quantile, confidence);
  const first = firstRank(size, (rank) => binomialAtMost(rank - 1, size, quantile) > 1 - confidence);
  const rank = (first ?? size + 1) - 1;
  return rank === 0 ? null : rank;
}

/** Ranks grow until the condition holds, and it holds from there on. */
function firstRank(size: number, holds: (rank: number) => boolean): number | null {
  let low = 1;
  let high = size + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low > size ? null : low;
}

function requireSample(size: number, quantile: number, confidence: number): void {
  requireCounts(0, size);
  requireShare('quantile', quantile);
  requireShare('confidence', confidence);
}
