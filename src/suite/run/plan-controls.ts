import { type PlannedTrial, trialSeed } from '../trial/planned-trial.ts';
import type { PlannedScenario, RunPlan } from './run-plan.ts';

/** The control runs of one task: the same scenario, nothing planted. They are no trials, and stand in no rate. */
export interface PlannedControl {
  readonly scenario: PlannedScenario;
  readonly trials: readonly PlannedTrial[];
  /** Share of them that must make the same tool calls. */
  readonly agreement: number | undefined;
}

const runsOfLiveModel = 3;

/** The controls that these trials are to be compared with; none for trials without a fault. */
export function planControls({ suite, scenarios, seed }: RunPlan, trials: readonly PlannedTrial[]): PlannedControl[] {
  const wanted = new Set(trials.map(({ scenario }) => scenario));
  const faulted = scenarios.filter(({ scenario }) => wanted.has(scenario.name) && scenario.run?.fault !== undefined);
  const tasks = [...new Set(faulted.flatMap(({ scenario }) => scenario.run?.fault?.row.task ?? []))];
  return tasks.flatMap((name) => {
    const task = suite.scenarios.find((scenario) => scenario.name === name);
    const planned = faulted.find(({ scenario }) => scenario.run?.fault?.row.task === name);
    if (task?.run === undefined || planned === undefined) return [];
    const { runs, agreement } = planned.scenario.run?.fault?.controls ?? {};
    const count = runs ?? (planned.scripted ? 1 : runsOfLiveModel);
    const trialsOfTask = Array.from({ length: count }, (_, at) => {
      const index = at + 1;
      return { scenario: name, index, seed: trialSeed(seed, `${name} control`, index) };
    });
    return [
      {
        scenario: { ...planned, scenario: { ...task, run: { ...task.run, judges: [] } } },
        trials: trialsOfTask,
        agreement,
      },
    ];
  });
}
