import type { Interval } from './interval.ts';
import { mean, standardDeviation } from './mean.ts';
import { studentQuantile } from './student.ts';

/**
 * The t interval of the mean over clusters, one number each (a scenario's rate), with clusters − 1 degrees of freedom.
 * `null` below two clusters.
 */
export function clusterMean(values: readonly number[], confidence = 0.95): Interval | null {
  if (values.length < 2) return null;
  const centre = mean(values);
  const t = studentQuantile((1 + confidence) / 2, values.length - 1);
  const half = (t * standardDeviation(values)) / Math.sqrt(values.length);
  return { lower: centre - half, upper: centre + half };
}
