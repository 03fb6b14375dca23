import type { Projection, ScenarioProjection } from './projection.ts';

/** The same scenario before and now: passes among the trials that were decided either way. */
export interface ScenarioPair {
  readonly name: string;
  readonly before: { readonly successes: number; readonly trials: number };
  readonly after: { readonly successes: number; readonly trials: number };
  /** The baseline shows both outcomes: its failures are nothing new. */
  readonly flaky: boolean;
}

/** Trials that showed nothing stay in the denominator as not passed: an outage must not raise a rate. */
export function scenarioPairs(baseline: Projection, candidate: Projection): ScenarioPair[] {
  const byName = new Map(baseline.scenarios.map((scenario) => [scenario.name, scenario]));
  return candidate.scenarios.flatMap((scenario) => {
    const before = byName.get(scenario.name);
    if (before === undefined || before.planned === 0 || scenario.counts.notApplicable > 0 || scenario.planned === 0)
      return [];
    return [
      {
        name: scenario.name,
        before: rateOf(before),
        after: rateOf(scenario),
        flaky: before.counts.passed > 0 && before.counts.failed > 0,
      },
    ];
  });
}

function rateOf({ counts, planned }: ScenarioProjection): { successes: number; trials: number } {
  return { successes: counts.passed, trials: planned };
}
