import { quantileRanks } from './order-statistic.ts';

/** One measured value. A censored one is known only to be at least `value` (a run that was stopped at the cap). */
export interface Observation {
  readonly value: number;
  readonly censored: boolean;
}

/** `atMost` is `null` where censoring leaves it open: read as "≥ atLeast". */
export interface CensoredValue {
  readonly atLeast: number;
  readonly atMost: number | null;
}

export interface QuantileBounds {
  readonly size: number;
  readonly censored: number;
  /** The value of rank ⌈size × quantile⌉: no interpolation. */
  readonly estimate: CensoredValue;
  /** `null` where the sample is too small to bound that side. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly coverage: number;
}

/**
 * A quantile with its distribution-free interval. A censored value may lie anywhere above its cap, so a bound that would
 * fall on one stays open. `null` for an empty sample.
 *
 * @example
 * quantileBounds(runs.map((run) => ({ value: run.attempts, censored: run.hitCap })), 0.95);
 */
export function quantileBounds(
  sample: readonly Observation[],
  quantile: number,
  confidence = 0.95,
): QuantileBounds | null {
  const size = sample.length;
  if (size === 0) return null;
  const lowest = ascending(sample.map(({ value }) => value));
  const highest = ascending(sample.map(({ value, censored }) => (censored ? Number.POSITIVE_INFINITY : value)));
  const { lowerRank, upperRank, coverage } = quantileRanks(size, quantile, confidence);
  const rank = estimateRank(size, quantile);
  return {
    size,
    censored: sample.filter(({ censored }) => censored).length,
    estimate: { atLeast: lowest[rank - 1] ?? Number.NaN, atMost: finite(highest[rank - 1]) },
    lower: lowerRank === null ? null : finite(lowest[lowerRank - 1]),
    upper: upperRank === null ? null : finite(highest[upperRank - 1]),
    coverage,
  };
}

/** 0.95 × 20 is 19.000000000000004 or so in doubles for some sizes; the rank must not jump for it. */
function estimateRank(size: number, quantile: number): number {
  return Math.min(size, Math.max(1, Math.ceil(size * quantile - 1e-9)));
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function finite(value: number | undefined): number | null {
  return value === undefined || value === Number.POSITIVE_INFINITY ? null : value;
}
