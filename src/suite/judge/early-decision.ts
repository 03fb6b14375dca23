import { createRunReader } from '../../agent/run-reader.ts';
import type { Expectations } from '../../trace/completeness-of.ts';
import type { CollectedTrace, SourceKind } from '../../trace/trace-set.ts';
import { isSelected } from '../run-selection.ts';
import type { Scenario } from '../suite.ts';
import { evaluateAssertion } from './evaluate-assertion.ts';
import type { JudgeOptions } from './judge.ts';
import { viewOf } from './view-of.ts';

/**
 * True where nothing is to be gained by waiting for more spans of these traces: a scenario selects them, and each that
 * does has decided every assertion, for good. A heap of traces that is told apart only at the end is never decided early.
 */
export function isDecidedEarly(
  traces: readonly CollectedTrace[],
  scenarios: readonly Scenario[],
  { kind, ...options }: JudgeOptions & { readonly kind: SourceKind },
): boolean {
  if (options.oneRun || scenarios.some(({ oneRun, runBy }) => oneRun || runBy !== undefined)) return false;
  const runs = createRunReader().add(traces);
  if (runs.length === 0) return false;
  return runs.every((run) => {
    const judging = isSelected(run, options.selection ?? {})
      ? scenarios.filter((scenario) => isSelected(run, scenario.select))
      : [];
    return (
      judging.length > 0 &&
      judging.every((scenario) => {
        const view = viewOf(scenario, { run, traces, kind, beforeDeadline: true }, options);
        return scenario.assertions.every((use) => {
          const { verdict } = evaluateAssertion(use, view);
          return verdict !== undefined && verdict.status !== 'inconclusive';
        });
      })
    );
  });
}

/** What all scenarios declare alike: only that can be waited for before it is known which of them judges a trace. */
export function sharedExpectations(scenarios: readonly Scenario[]): Expectations {
  const [first, ...others] = scenarios;
  if (first === undefined) return {};
  return {
    services: first.services.filter((service) => others.every(({ services }) => services.includes(service))),
    remoteRoot: scenarios.every(({ root }) => root === 'remote'),
    absentParentOf: (first.absentParentOf ?? []).filter((name) =>
      others.every(({ absentParentOf = [] }) => absentParentOf.includes(name)),
    ),
  };
}
