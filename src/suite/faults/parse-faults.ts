import {
  type FaultPlan,
  type PlanRow,
  parseFaultPlan,
  requireRepeatable,
  scenarioOfRow,
} from '../../faults/plan/fault-plan.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { AssertionRegistry } from '../assertion-registry.ts';
import type { AssertionUse } from '../assertion-use.ts';
import { nearestName } from '../nearest-name.ts';
import { parseAssertion } from '../parse-assertion.ts';
import type { SuiteDocument } from '../suite-document.ts';
import type { SuiteProblem } from '../suite-problem.ts';
import type { ControlsDocument } from './faults-document.ts';

/** The faults of a suite, ready to be run. */
export interface SuiteFaults {
  readonly plan: FaultPlan;
  readonly recovery: AssertionUse;
  readonly minimumExercised: number;
  /** Whether the same run would meet the same faults again: what a gate demands. */
  readonly repeatable: boolean;
  readonly controls: ControlsDocument;
}

/** What of a faulted scenario its target and its report must know. */
export interface ScenarioFault extends Pick<SuiteFaults, 'minimumExercised' | 'repeatable' | 'controls'> {
  readonly plan: Pick<FaultPlan, 'hash'>;
  readonly row: PlanRow;
}

const defaultMinimum = 0.8;

/** Reads `faults:` of a suite; `undefined` without one. */
export function suiteFaults(document: SuiteDocument, registry: AssertionRegistry): SuiteFaults | undefined {
  const { faults } = document;
  if (faults === undefined) return undefined;
  const { value } = parseAssertion({ RecoveryClassified: faults.recovery }, registry, []);
  if (value === undefined) return undefined;
  const plan = parseFaultPlan(faults.rows);
  return {
    plan,
    recovery: value,
    minimumExercised: faults.minimumExercised ?? defaultMinimum,
    repeatable: isRepeatable(plan),
    controls: faults.controls ?? {},
  };
}

/** What is wrong with `faults:`, beyond its shape. */
export function faultsProblems(document: SuiteDocument, registry: AssertionRegistry): SuiteProblem[] {
  const { faults, scenarios } = document;
  if (faults === undefined) return [];
  const path = ['faults', 'recovery'];
  const { problems = [] } = parseAssertion({ RecoveryClassified: faults.recovery }, registry, []);
  const own = problems.map((problem) => ({ ...problem, path: [...path, ...problem.path.slice(1)] }));
  const unbounded: SuiteProblem[] =
    faults.recovery['budget'] === undefined
      ? [
          {
            path,
            message: 'expected a budget for faulted runs, got none',
            hint: 'say "budget: unlimited" if that is meant',
          },
        ]
      : [];
  return [
    ...own,
    ...unbounded,
    ...planProblems(
      faults.rows,
      scenarios.map(({ name }) => name),
    ),
  ];
}

function planProblems(rows: readonly unknown[], names: readonly string[]): SuiteProblem[] {
  let plan: FaultPlan;
  try {
    plan = parseFaultPlan(rows);
  } catch (error) {
    if (!OtelEvalError.is(error)) throw error;
    return [{ path: ['faults', 'rows'], message: error.message }];
  }
  return plan.rows.flatMap((row, at) => {
    const { task } = row;
    const own = scenarioOfRow(row);
    if (names.includes(own)) {
      const message = `a scenario is named as row "${own.slice(0, 80)}"`;
      return [{ path: ['faults', 'rows', at, 'task'], message, hint: 'give the row another name: row:' }];
    }
    if (names.includes(task)) return [];
    const near = nearestName(task, names);
    const hint = near === undefined ? `known are ${names.join(', ')}` : `did you mean "${near}"?`;
    return [{ path: ['faults', 'rows', at, 'task'], message: `unknown scenario "${task.slice(0, 80)}"`, hint }];
  });
}

function isRepeatable(plan: FaultPlan): boolean {
  try {
    requireRepeatable(plan);
    return true;
  } catch {
    return false;
  }
}
