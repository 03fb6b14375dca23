import type { GateReport } from './gate-report.ts';
import type { GateFinding } from './gate-verdict.ts';
import { policyFindings } from './policy-rule.ts';

/** Faulted runs must be repeatable, and enough of them must say something of the agent. Without a fault plan: nothing. */
export function resilienceFindings({ resilience }: GateReport): GateFinding[] {
  if (resilience === undefined) return [];
  const { repeatable, exercisedShare, minimumExercised, runs, planned } = resilience;
  const findings: GateFinding[] = [];
  if (!repeatable) {
    const message = 'expected faults that come again in the same run, got random or wall-clock injection';
    findings.push({ rule: 'faults', subject: null, decision: 'FAIL', message });
  }
  const ran = runs < planned ? `, ${planned - runs} of ${planned} did not run` : '';
  const share = planned === 0 ? 0 : (exercisedShare * runs) / planned;
  const enough = share >= minimumExercised;
  const message = `expected at least ${minimumExercised} of the faulted runs exercised, got ${Number(share.toFixed(4))}${ran}`;
  findings.push({
    rule: 'faults',
    subject: 'exercised share',
    decision: enough ? 'PASS' : 'INSUFFICIENT_EVIDENCE',
    message,
  });
  return findings;
}

/** What faulted runs came to: a failure is one, and runs that say nothing are judged by the share of all. */
export function faultedPolicies({ scenarios, resilience }: GateReport): GateFinding[] {
  if (resilience === undefined) return [];
  const faulted = scenarios.filter((scenario) => scenario.faulted !== undefined);
  return policyFindings(faulted).filter(({ decision }) => decision !== 'INSUFFICIENT_EVIDENCE');
}
