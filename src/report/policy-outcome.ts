import { wilson } from '../statistics/wilson.ts';
import { policyVerdict } from '../suite/policy/policy-verdict.ts';
import { countTrials } from '../suite/policy/trial-counts.ts';
import { policyText, type TrialPolicy } from '../suite/policy/trial-policy.ts';
import type { TrialStatus } from '../suite/trial/trial-status.ts';
import type { ScenarioReport, TrialReport } from './report.ts';

/** What a policy says of runs that were found, not planned: a pass rate with its bound over production runs, say. */
export function policyOutcome(
  policy: TrialPolicy,
  trials: readonly TrialReport[],
): Pick<ScenarioReport, 'status' | 'missing' | 'planned' | 'policy' | 'rule' | 'rate'> {
  const planned = trials.length;
  const counts = countTrials(
    trials.map(({ status }) => status as TrialStatus),
    planned,
  );
  const { status, reason, furtherRuns } = policyVerdict(policy, counts);
  const { lower, upper } = wilson(counts.passed, planned);
  return {
    status,
    missing: reason === null ? [] : [{ kind: furtherRuns === null ? 'policy' : 'statistics', message: reason }],
    planned,
    policy: policyText(policy, planned),
    rule: policy,
    rate: { passed: counts.passed, of: planned, lower: shown(lower), upper: shown(upper) },
  };
}

/** Four digits: more would say nothing. */
export function shown(value: number): number {
  return Number(value.toFixed(4));
}
