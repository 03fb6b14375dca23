import type { TrialStatus } from '../trial/trial-status.ts';

/** Trials of one scenario by what they came to. `planned` is the denominator: what did not run is never dropped from it. */
export interface TrialCounts extends Readonly<Record<TrialStatus, number>> {
  readonly planned: number;
}

export function countTrials(statuses: Iterable<TrialStatus>, planned: number): TrialCounts {
  const counts = { planned, passed: 0, failed: 0, inconclusive: 0, error: 0, unavailable: 0 };
  for (const status of statuses) counts[status] += 1;
  return counts;
}

/** Trials that ran and showed neither. */
export function undecidedTrials({ inconclusive, error, unavailable }: TrialCounts): number {
  return inconclusive + error + unavailable;
}

/** Trials still to come, or never run. */
export function openTrials(counts: TrialCounts): number {
  return counts.planned - counts.passed - counts.failed - undecidedTrials(counts);
}
