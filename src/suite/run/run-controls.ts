import pLimit from 'p-limit';
import { controlRunOf } from '../../faults/read/control-run-of.ts';
import type { ControlRun, ControlRuns } from '../../faults/recovery/control-run.ts';
import type { PlannedTrial } from '../trial/planned-trial.ts';
import type { TrialStatus } from '../trial/trial-status.ts';
import type { PlannedControl } from './plan-controls.ts';
import { runOneTrial, type TrialPorts } from './run-one-trial.ts';
import type { PlannedScenario } from './run-plan.ts';
import type { TrialOutcome } from './trial-outcome.ts';

export interface RunControlsOptions {
  readonly ports: TrialPorts;
  readonly concurrency: number;
  /** Of all that a trial shows. */
  readonly statusOf: (outcome: TrialOutcome) => TrialStatus;
}

/** Controls by task. */
export type Controls = ReadonlyMap<string, ControlRuns>;

/** Runs each task without its faults: what the agent does then is not a reaction, and what goes wrong then not the fault's. */
export async function runControls(
  planned: readonly PlannedControl[],
  { ports, concurrency, statusOf }: RunControlsOptions,
): Promise<Controls> {
  const limit = pLimit(concurrency);
  const one = (scenario: PlannedScenario, trial: PlannedTrial): Promise<readonly ControlRun[]> =>
    limit(async () => {
      if (ports.signal.aborted) return [];
      const outcome = await runOneTrial(scenario, trial, ports);
      return ports.signal.aborted ? [] : [controlOf(outcome, statusOf(outcome))];
    });
  const tasks = planned.map(async ({ scenario, trials, agreement }) => {
    const runs = (await Promise.all(trials.map((trial) => one(scenario, trial)))).flat();
    // A part of the controls is none: they are judged together.
    return [scenario.scenario.name, { runs: runs.length < trials.length ? [] : runs, agreement }] as const;
  });
  return new Map(await Promise.all(tasks));
}

/** The scenario of a row, judged against the controls of its task. */
export function withControls(planned: PlannedScenario, controls: Controls): PlannedScenario {
  const fault = planned.scenario.run?.fault;
  if (fault === undefined) return planned;
  const { plan, row } = fault;
  const own = controls.get(row.task) ?? { runs: [], agreement: undefined };
  const told = { plan: plan.hash, row: row.row, controls: own };
  const assertions = planned.scenario.assertions.map((use) => ({
    ...use,
    parameters: { ...(use.parameters as object), planned: told },
  }));
  return { ...planned, scenario: { ...planned.scenario, assertions } };
}

function controlOf(outcome: TrialOutcome, status: TrialStatus): ControlRun {
  const read = outcome.judged === null ? undefined : controlRunOf(outcome.judged.view);
  const calls = read?.calls ?? [];
  if (read?.status === 'error') return read;
  if (status === 'passed') return read ?? { status: 'inconclusive', why: null, calls };
  const state = status === 'failed' || status === 'inconclusive' ? status : 'error';
  return { status: state, why: whyNot(outcome, state), calls };
}

function whyNot({ problem, timedOut, judged, steps }: TrialOutcome, state: ControlRun['status']): string | null {
  if (problem !== null) return problem.message;
  if (timedOut) return 'it did not end in time';
  const verdicts = [judged, ...steps.map((step) => step.judged)].flatMap((each) => each?.outcomes ?? []);
  const names = verdicts.filter(({ verdict }) => verdict?.status === state).map(({ assertion }) => assertion.id);
  return names.length === 0 ? null : [...new Set(names)].join(', ');
}
