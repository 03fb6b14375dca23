import { quantileBounds } from '../../statistics/censored-quantile.ts';
import type { Decision } from '../../statistics/decision.ts';
import { rateAtMost } from '../../statistics/rate-claim.ts';
import { chanceToSee, furtherRunsAtMost } from '../../statistics/sample-size.ts';

/** What one run says of attempts. */
export interface AttemptRun {
  /** The error path ran: only such runs say anything of recovery. */
  readonly exercised: boolean;
  readonly recovered: boolean;
  readonly attempts: number;
  /** It was stopped at the measurement cap: its attempts are "at least" so many. */
  readonly atCap: boolean;
  /** Case of the corpus: repetitions of one case say nothing of others. */
  readonly corpusCase: string;
}

export interface AttemptClaim {
  readonly runs: number;
  readonly exercised: number;
  readonly neverRecovered: number;
  /** Runs above the bound, or stopped at the cap. */
  readonly exceedances: number;
  readonly median: string;
  /** `4`, or `≥ 12` where so many runs were stopped that it is no number. */
  readonly p95: string;
  /** "p95 of attempts ≤ bound", at 95 % one-sided. */
  readonly decision: Decision;
  readonly furtherRuns: number | null;
  readonly scope: 'one case' | 'this corpus';
  /** The chance that so many runs show a tail of 5 % at all. */
  readonly chanceToSeeTail: number;
}

/**
 * Decides "95 % of exercised runs stay within the bound" over trials. Percentiles are conditional on exercised runs.
 *
 * @param bound - attempts allowed, chosen in advance; the cap at which runs are stopped is at least three times as much
 */
export function attemptClaim(runs: readonly AttemptRun[], bound: number): AttemptClaim {
  const exercised = runs.filter((run) => run.exercised);
  const exceedances = exercised.filter(({ attempts, atCap }) => atCap || attempts > bound).length;
  const sample = exercised.map(({ attempts, atCap }) => ({ value: attempts, censored: atCap }));
  const at = (quantile: number): string => {
    const found = quantileBounds(sample, quantile);
    if (found === null) return 'none';
    const { atLeast, atMost } = found.estimate;
    return atMost === null ? `≥ ${atLeast}` : String(atLeast);
  };
  return {
    runs: runs.length,
    exercised: exercised.length,
    neverRecovered: exercised.filter(({ recovered }) => !recovered).length,
    exceedances,
    median: at(0.5),
    p95: at(0.95),
    decision: rateAtMost(exceedances, exercised.length, 0.05),
    furtherRuns: furtherRunsAtMost(exceedances, exercised.length, 0.05).atBest,
    scope: new Set(runs.map(({ corpusCase }) => corpusCase)).size > 1 ? 'this corpus' : 'one case',
    chanceToSeeTail: chanceToSee(0.05, exercised.length),
  };
}
