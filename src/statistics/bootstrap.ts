import { requireShare } from './counts.ts';
import type { Interval } from './interval.ts';
import { mean } from './mean.ts';
import { normalCumulative, normalQuantile } from './normal.ts';
import { type Random, randomIndex } from './random.ts';

export interface BootstrapOptions {
  readonly random: Random;
  /** Default 2,000. */
  readonly resamples?: number;
  /** Two-sided. Default 0.95. */
  readonly confidence?: number;
  /** `percentile` (default), or `bca`: corrected for bias and skew, for costs and times. */
  readonly method?: 'percentile' | 'bca';
}

/**
 * A bootstrap interval. What is drawn is a whole cluster (a scenario with all its trials, a pair of before and after), so
 * what depends on each other stays together. `null` below two clusters: one cluster says nothing of others.
 *
 * @example
 * bootstrap(rates, mean, { random: seededRandom(41) });
 */
export function bootstrap<Cluster>(
  clusters: readonly Cluster[],
  statistic: (sample: readonly Cluster[]) => number,
  options: BootstrapOptions,
): Interval | null {
  const { random, resamples = 2_000, confidence = 0.95, method = 'percentile' } = options;
  requireShare('confidence', confidence);
  if (clusters.length < 2) return null;
  const draws: number[] = [];
  for (let draw = 0; draw < resamples; draw += 1) {
    draws.push(statistic(clusters.map(() => clusters[randomIndex(random, clusters.length)] as Cluster)));
  }
  draws.sort((a, b) => a - b);
  const shares = method === 'bca' ? correctedShares(clusters, statistic, draws) : (share: number) => share;
  const alpha = 1 - confidence;
  return { lower: valueAt(draws, shares(alpha / 2)), upper: valueAt(draws, shares(1 - alpha / 2)) };
}

/** Outward: the lower end takes the rank below, the upper end the rank above. */
function valueAt(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length + 1);
  const rank = share < 0.5 ? Math.floor(position) : Math.ceil(position);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] ?? Number.NaN;
}

function correctedShares<Cluster>(
  clusters: readonly Cluster[],
  statistic: (sample: readonly Cluster[]) => number,
  draws: readonly number[],
): (share: number) => number {
  const observed = statistic(clusters);
  const below = draws.filter((draw) => draw < observed).length + draws.filter((draw) => draw === observed).length / 2;
  if (below === 0 || below === draws.length) return (share) => share;
  const bias = normalQuantile(below / draws.length);
  const skew = acceleration(clusters, statistic);
  return (share) => {
    const z = bias + normalQuantile(share);
    return normalCumulative(bias + z / (1 - skew * z));
  };
}

/** From the jackknife: how the statistic's spread changes with its value. */
function acceleration<Cluster>(
  clusters: readonly Cluster[],
  statistic: (sample: readonly Cluster[]) => number,
): number {
  const left = clusters.map((_, index) => statistic(clusters.filter((_other, other) => other !== index)));
  const centre = mean(left);
  let squares = 0;
  let cubes = 0;
  for (const value of left) {
    squares += (centre - value) ** 2;
    cubes += (centre - value) ** 3;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}
