import { passHatK } from '../../statistics/pass-hat-k.ts';
import { rateAtLeast } from '../../statistics/rate-claim.ts';
import { passesForPassHatK } from '../../statistics/required-passes.ts';
import { type FurtherRuns, furtherRunsAtLeast } from '../../statistics/sample-size.ts';
import { combinedStatus, statusPrecedence, type TrialStatus } from '../trial/trial-status.ts';
import { openTrials, type TrialCounts, undecidedTrials } from './trial-counts.ts';
import type { TrialPolicy } from './trial-policy.ts';

/** What a policy says of the trials so far. */
export interface PolicyVerdict {
  readonly status: TrialStatus;
  /** Why it is not a pass, one sentence; `null` for a pass. */
  readonly reason: string | null;
  /** For an undecided rate: how many more runs would show it. */
  readonly furtherRuns: FurtherRuns | null;
}

/**
 * Judges the trials of a scenario together. A trial that showed nothing never counts as a pass, and never shrinks the
 * denominator: a threshold is not lowered for an outage.
 */
export function policyVerdict(policy: TrialPolicy, counts: TrialCounts): PolicyVerdict {
  if (counts.planned === 0) return { status: 'inconclusive', reason: 'no trial was planned', furtherRuns: null };
  return policy.kind === 'rate' ? rateVerdict(policy, counts) : countVerdict(policy, counts);
}

/** True when the trials still to come cannot change the verdict any more. */
export function isDecided(policy: TrialPolicy, counts: TrialCounts): boolean {
  const open = openTrials(counts);
  if (open === 0) return true;
  const best = policyVerdict(policy, { ...counts, passed: counts.passed + open });
  const worst = policyVerdict(policy, { ...counts, failed: counts.failed + open });
  // An error on the way would weigh more than an inconclusive verdict: only these two are beyond it.
  return best.status === worst.status && (best.status === 'passed' || best.status === 'failed');
}

function countVerdict(policy: Exclude<TrialPolicy, { kind: 'rate' }>, counts: TrialCounts): PolicyVerdict {
  const { planned, passed, failed } = counts;
  const required = requiredPasses(policy, planned);
  if (required === null) {
    const reason = `expected at least ${policy.kind === 'passHatK' ? policy.k : 1} trials, got ${planned}`;
    return { status: 'inconclusive', reason, furtherRuns: null };
  }
  if (passed >= required) return { status: 'passed', reason: null, furtherRuns: null };
  if (planned - failed < required) {
    return { status: 'failed', reason: shortfall(policy, counts, required), furtherRuns: null };
  }
  return { status: worstUndecided(counts), reason: unshown(counts, `${required} passed trials`), furtherRuns: null };
}

function requiredPasses(policy: Exclude<TrialPolicy, { kind: 'rate' }>, planned: number): number | null {
  if (policy.kind === 'all') return planned;
  if (policy.kind === 'passes') return policy.passes;
  return planned < policy.k ? null : passesForPassHatK(planned, policy.k, policy.minimum);
}

function shortfall(policy: TrialPolicy, { passed, failed, planned }: TrialCounts, required: number): string {
  if (policy.kind !== 'passHatK') return `expected ${required} of ${planned} trials to pass, ${failed} failed`;
  const estimate = passHatK(passed, planned, policy.k) ?? 0;
  return `expected pass^${policy.k} of at least ${policy.minimum}, got ${rounded(estimate)} (${passed} of ${planned} passed)`;
}

function rateVerdict(policy: Extract<TrialPolicy, { kind: 'rate' }>, counts: TrialCounts): PolicyVerdict {
  const { planned, passed } = counts;
  const { minimum, confidence } = policy;
  const unknown = undecidedTrials(counts) + openTrials(counts);
  if (rateAtLeast(passed, planned, minimum, confidence) === 'pass') {
    return { status: 'passed', reason: null, furtherRuns: null };
  }
  if (rateAtLeast(passed + unknown, planned, minimum, confidence) === 'fail') {
    const reason = `expected a pass rate of at least ${minimum}, got ${passed} of ${planned}, which shows a lower one`;
    return { status: 'failed', reason, furtherRuns: null };
  }
  if (unknown > 0) {
    return {
      status: worstUndecided(counts),
      reason: unshown(counts, `a rate of at least ${minimum}`),
      furtherRuns: null,
    };
  }
  const furtherRuns = furtherRunsAtLeast(passed, planned, minimum, confidence);
  const more = furtherRuns.atBest === null ? '' : `; ${furtherRuns.atBest} more passing runs would show it`;
  const reason = `${passed} of ${planned} neither shows a pass rate of at least ${minimum} nor a lower one${more}`;
  return { status: 'inconclusive', reason, furtherRuns };
}

function worstUndecided(counts: TrialCounts): TrialStatus {
  return combinedStatus(
    statusPrecedence.filter((status) => !['passed', 'failed'].includes(status) && counts[status] > 0),
  );
}

function unshown(counts: TrialCounts, wanted: string): string {
  const parts = (['error', 'unavailable', 'inconclusive'] as const).filter((status) => counts[status] > 0);
  const told = parts.map((status) => `${counts[status]} ${status}`);
  const open = openTrials(counts);
  if (open > 0) told.push(`${open} not run`);
  return `${wanted} not shown: of ${counts.planned} trials ${counts.passed} passed, ${told.join(', ')}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
