import { binomialAtLeast } from '../../statistics/binomial-tail.ts';
import { clopperPearsonLower } from '../../statistics/clopper-pearson.ts';
import { rateAtMost } from '../../statistics/rate-claim.ts';
import { furtherRunsAtMost } from '../../statistics/sample-size.ts';
import type { GateReport } from './gate-report.ts';
import type { Budget, GateRules } from './gate-rules.ts';
import type { GateFinding } from './gate-verdict.ts';
import type { Projection } from './projection.ts';
import type { Alarm } from './regression-rule.ts';

/** "p95 ≤ max" as a claim on the share of runs above it. A run that does not tell its measure counts as above. */
export function budgetFindings(budgets: readonly Budget[], report: GateReport, alpha: number): GateFinding[] {
  return budgets.map((budget) => {
    const { measure, scenario, quantile, max, source } = budget;
    const values = measured(report, measure, scenario);
    const subject = scenario === undefined ? measure : `${scenario}: ${measure}`;
    const name = `p${Number((quantile * 100).toPrecision(6))} of ${measure}`;
    const above = values.filter((value) => value === null || value > max).length;
    const silent = values.filter((value) => value === null).length;
    const told = `${above} of ${values.length} runs above ${max}${silent > 0 ? `, ${silent} of them without the measure` : ''} (bound: ${source})`;
    const finding = { rule: 'budget', subject };
    const decision = rateAtMost(above, values.length, 1 - quantile, 1 - alpha);
    if (decision === 'pass') return { ...finding, decision: 'PASS', message: `${name} is at most ${max}: ${told}` };
    if (decision === 'fail')
      return { ...finding, decision: 'FAIL', message: `expected ${name} of at most ${max}, got ${told}` };
    const further = furtherRunsAtMost(above, values.length, 1 - quantile, 1 - alpha).atBest;
    const message = `not shown that ${name} is at most ${max}: ${told}`;
    return {
      ...finding,
      decision: 'INSUFFICIENT_EVIDENCE',
      message,
      ...(further === null ? {} : { furtherRuns: further }),
    };
  });
}

/** One alarm a scenario and measure: more than 5 % of its runs lie above the baseline's p95 times the factor. */
export function increaseAlarms(rules: GateRules, report: GateReport, baseline: Projection): Alarm[] {
  return rules.increases.flatMap(({ measure, factor }) =>
    baseline.scenarios.flatMap((before): Alarm[] => {
      const summary = Object.hasOwn(before.measures, measure) ? before.measures[measure] : undefined;
      const values = measured(report, measure, before.name).flatMap((value) => value ?? []);
      if (summary === undefined || values.length === 0) return [];
      const bound = summary.p95 * factor;
      const above = values.filter((value) => value > bound).length;
      return [
        {
          p: binomialAtLeast(above, values.length, 0.05),
          finding(p, alarmed) {
            const share = clopperPearsonLower(above, values.length, 1 - rules.alpha);
            const told = `${above} of ${values.length} runs above ${round(bound)} (baseline p95 ${round(summary.p95)} × ${factor})`;
            const message = alarmed
              ? `${measure} has grown though the policy may still pass: ${told}, at least ${(share * 100).toFixed(1)} %`
              : `no growth of ${measure} is shown: ${told}`;
            return {
              rule: 'increase',
              subject: `${before.name}: ${measure}`,
              decision: alarmed ? 'FAIL' : 'PASS',
              message,
              p,
            };
          },
        },
      ];
    }),
  );
}

function measured(report: GateReport, measure: string, scenario: string | undefined): (number | null)[] {
  return report.scenarios
    .filter(({ name }) => scenario === undefined || name === scenario)
    .flatMap(({ trials }) =>
      trials.map(({ measures }) => (Object.hasOwn(measures, measure) ? (measures[measure] ?? null) : null)),
    );
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
