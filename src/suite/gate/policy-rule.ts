import type { GateScenario } from './gate-report.ts';
import type { GateDecision, GateFinding } from './gate-verdict.ts';

/** Each scenario must satisfy its own policy. Before a release an outage is a failure, not a reason to skip. */
export function policyFindings(scenarios: readonly GateScenario[]): GateFinding[] {
  return scenarios.map((scenario) => {
    const { name, status, policy, trials, planned } = scenario;
    const passed = trials.filter((trial) => trial.status === 'passed').length;
    const message =
      status === 'passed'
        ? `${policy}: ${passed} of ${planned} passed`
        : `expected ${policy}, got ${status}: ${countsText(scenario)}`;
    return { rule: 'policies', subject: name, decision: decisions[status], message };
  });
}

const decisions: Readonly<Record<GateScenario['status'], GateDecision>> = {
  passed: 'PASS',
  // A pack that does not apply is judged by its pin.
  notApplicable: 'PASS',
  failed: 'FAIL',
  unavailable: 'FAIL',
  error: 'INSUFFICIENT_EVIDENCE',
  inconclusive: 'INSUFFICIENT_EVIDENCE',
};

function countsText({ trials, planned }: GateScenario): string {
  const words = ['passed', 'failed', 'error', 'unavailable', 'inconclusive'] as const;
  const told = words.flatMap((word) => {
    const count = trials.filter(({ status }) => status === word).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const missing = planned - trials.length;
  return [...told, ...(missing > 0 ? [`${missing} not run`] : [])].join(', ') || 'no trial ran';
}
