import { type Observation, quantileBounds } from '../../statistics/censored-quantile.ts';
import { fisher } from '../../statistics/fisher.ts';
import { wilson } from '../../statistics/wilson.ts';

/** One failing run of one version of a tool. */
export interface VersionRun {
  /** `null` where the trace does not tell them all. */
  readonly tokens: number | null;
  readonly attempts: number;
  /** Where it never did, it would have taken at least one attempt more: its attempts are "at least" so many. */
  readonly recovered: boolean;
  /** Stopped at the measurement cap: its tokens too are "at least" so many. */
  readonly atCap: boolean;
}

export interface VersionSummary {
  readonly version: string;
  readonly failingRuns: number;
  readonly neverRecovered: number;
  readonly neverRecoveredRate: number;
  /** Wilson, 95 %. */
  readonly lower: number;
  readonly upper: number;
  /** Median: means of runs that were stopped are not compared. `none` where no run tells its tokens. */
  readonly medianTokens: string;
  /** Failing runs that tell their tokens. */
  readonly tokensTold: number;
  readonly medianAttempts: string;
  /** `≥ 12` where so many runs were stopped that it is no number. */
  readonly p95Attempts: string;
}

export interface VersionStep {
  readonly from: string;
  readonly to: string;
  /** Change of the median of tokens; `null` where one of them is no number. */
  readonly tokensChange: number | null;
  /** Fisher's exact test of the share that never recovered. */
  readonly p: number;
}

/**
 * Versions of a tool by what a failing run costs: all may complete, and only the way there tells them apart.
 *
 * @param versions - failing runs by version, in order; a Map where names may be numbers, which an object would sort
 */
export function compareVersions(
  versions: Readonly<Record<string, readonly VersionRun[]>> | ReadonlyMap<string, readonly VersionRun[]>,
): {
  readonly versions: readonly VersionSummary[];
  readonly steps: readonly VersionStep[];
} {
  const entries = versions instanceof Map ? [...versions] : Object.entries(versions);
  const summaries = entries.map(([version, runs]) => summarize(version, runs));
  const steps = summaries.slice(1).map((summary, at): VersionStep => {
    const before = summaries[at] as VersionSummary;
    const [from, to] = [Number(before.medianTokens), Number(summary.medianTokens)];
    return {
      from: before.version,
      to: summary.version,
      tokensChange: Number.isFinite(from) && Number.isFinite(to) && from > 0 ? (to - from) / from : null,
      p: fisher(shareOf(before), shareOf(summary)),
    };
  });
  return { versions: summaries, steps };
}

function summarize(version: string, runs: readonly VersionRun[]): VersionSummary {
  const never = runs.filter(({ recovered }) => !recovered).length;
  const { lower, upper } = wilson(never, runs.length);
  const told = runs.flatMap(({ tokens, atCap }) => (tokens === null ? [] : [{ value: tokens, censored: atCap }]));
  const attempts = runs.map((run) => ({ value: run.attempts, censored: run.atCap || !run.recovered }));
  return {
    version,
    failingRuns: runs.length,
    neverRecovered: never,
    neverRecoveredRate: runs.length === 0 ? 0 : never / runs.length,
    lower,
    upper,
    medianTokens: quantileText(told, 0.5),
    tokensTold: told.length,
    medianAttempts: quantileText(attempts, 0.5),
    p95Attempts: quantileText(attempts, 0.95),
  };
}

function quantileText(sample: readonly Observation[], share: number): string {
  const found = quantileBounds(sample, share);
  if (found === null) return 'none';
  const { atLeast, atMost } = found.estimate;
  return atMost === null ? `≥ ${atLeast}` : String(atLeast);
}

function shareOf({ neverRecovered, failingRuns }: VersionSummary): { successes: number; trials: number } {
  return { successes: neverRecovered, trials: failingRuns };
}
