import { requireShare } from './counts.ts';
import type { Interval } from './interval.ts';
import { mean, standardDeviation } from './mean.ts';
import { type Random, randomIndex } from './random.ts';

export interface SimultaneousOptions {
  readonly random: Random;
  /** Default 2,000. */
  readonly resamples?: number;
  /** That all intervals hold together. Default 0.95. */
  readonly confidence?: number;
}

/**
 * Intervals of several means that hold together (bootstrap max-t, clusters drawn whole, each draw by its own standard error):
 * one row a cluster (a scenario), one number a measure (the change of each label's share). A measure that never varies has an
 * interval without width; over a handful of clusters the interval may be infinite. `null` below two clusters.
 *
 * @example
 * simultaneousIntervals([[0.1, -0.1], [0, 0], [0.2, -0.2]], { random: seededRandom(41) });
 */
export function simultaneousIntervals(
  clusters: readonly (readonly number[])[],
  { random, resamples = 2_000, confidence = 0.95 }: SimultaneousOptions,
): Interval[] | null {
  requireShare('confidence', confidence);
  if (clusters.length < 2) return null;
  const columns = (clusters[0] ?? []).map((_, measure) => clusters.map((row) => row[measure] ?? 0));
  const observed = columns.map(mean);
  const farthest: number[] = [];
  for (let draw = 0; draw < resamples; draw += 1) {
    const drawn = clusters.map(() => randomIndex(random, clusters.length));
    let far = 0;
    for (const [measure, column] of columns.entries()) {
      const sample = drawn.map((at) => column[at] ?? 0);
      far = Math.max(far, standardised(mean(sample) - (observed[measure] ?? 0), standardError(sample)));
    }
    farthest.push(far);
  }
  farthest.sort((a, b) => a - b);
  const factor = farthest[Math.min(resamples, Math.ceil(confidence * (resamples + 1))) - 1] ?? 0;
  return columns.map((column, measure) => {
    const error = standardError(column);
    const halfWidth = error === 0 ? 0 : factor * error;
    return { lower: (observed[measure] ?? 0) - halfWidth, upper: (observed[measure] ?? 0) + halfWidth };
  });
}

function standardised(distance: number, error: number): number {
  // Rounding must not make a constant measure vary.
  return Math.abs(distance) < 1e-12 ? 0 : Math.abs(distance) / error;
}

function standardError(sample: readonly number[]): number {
  return standardDeviation(sample) / Math.sqrt(sample.length);
}
