import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Baseline } from './baseline.ts';
import { whyIncomparable } from './comparability.ts';
import type { GateReport } from './gate-report.ts';
import { combinedDecision, type GateDecision, type GateFinding } from './gate-verdict.ts';
import { budgetFindings, increaseAlarms } from './measure-rules.ts';
import { inferiorityAlarm, nonInferiorityFinding } from './non-inferiority-rule.ts';
import { packFindings } from './pack-rule.ts';
import { policyFindings } from './policy-rule.ts';
import { projectionOf } from './projection.ts';
import { alarmFindings, regressionAlarms } from './regression-rule.ts';
import { faultedPolicies, resilienceFindings } from './resilience-rule.ts';
import { scenarioPairs } from './scenario-rates.ts';

export interface GateResult {
  readonly decision: GateDecision;
  readonly findings: readonly GateFinding[];
}

/**
 * Judges a release against its baseline. Results of different plans, inputs, models or harness versions are not compared:
 * that is a usage error.
 *
 * @example
 * const { decision, findings } = gate(report, baseline); // 'PASS', 'FAIL' or 'INSUFFICIENT_EVIDENCE'
 */
export function gate(report: GateReport, baseline: Baseline): GateResult {
  const candidate = projectionOf(report);
  requireComparable(report, whyIncomparable(baseline.projection, candidate));
  const { rules, projection } = baseline;
  const pairs = scenarioPairs(projection, candidate);
  const { seed } = report.plan;
  const inferiority = inferiorityAlarm(pairs, rules, seed);
  const alarms = [
    ...regressionAlarms(pairs),
    ...increaseAlarms(rules, report, projection),
    ...(inferiority === null ? [] : [inferiority]),
  ];
  const shown = nonInferiorityFinding(pairs, rules, seed);
  const findings = [
    ...packFindings(baseline.packs, report.applicability),
    ...policyFindings(
      report.scenarios.filter(({ faulted }) => faulted === undefined || report.resilience === undefined),
    ),
    ...faultedPolicies(report),
    ...resilienceFindings(report),
    ...alarmFindings(alarms, rules.alpha),
    ...(shown === null ? [] : [shown]),
    ...budgetFindings(rules.budgets, report, rules.alpha),
  ];
  const decision = report.scenarios.length === 0 ? 'INSUFFICIENT_EVIDENCE' : combinedDecision(findings);
  return { decision, findings };
}

function requireComparable({ plan: { shard } }: GateReport, differences: readonly string[]): void {
  if (shard !== null) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a whole report, got shard ${shard.index} of ${shard.count}`, {
      hint: 'put the shards together with "otel-eval merge" first',
    });
  }
  if (differences.length === 0) return;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `report and baseline are not comparable: ${differences.join('; ')}`, {
    hint: 'run the same plan on the same inputs and models, or write a new baseline on purpose',
  });
}
