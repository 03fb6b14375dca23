import type { Applicability } from '../pack/applicability.ts';
import type { TrialPolicy } from '../policy/trial-policy.ts';
import { inPhase } from '../trial/harness-tracing.ts';
import type { Journal } from '../trial/journal.ts';
import { type PlannedTrial, trialKey } from '../trial/planned-trial.ts';
import { type Finished, runTrials } from '../trial/run-trials.ts';
import type { TrialStatus } from '../trial/trial-status.ts';
import { planControls } from './plan-controls.ts';
import { type Probe, probePacks } from './probe-packs.ts';
import { runControls, withControls } from './run-controls.ts';
import { runOneTrial, type TrialPorts } from './run-one-trial.ts';
import type { PlannedScenario, RunPlan } from './run-plan.ts';
import type { TrialOutcome } from './trial-outcome.ts';

export interface RunSuiteOptions<Record extends Finished> {
  readonly ports: TrialPorts;
  readonly concurrency: number;
  readonly bail: boolean;
  /** Makes of an outcome what is kept of it: plain data, no content. */
  readonly record: (outcome: TrialOutcome) => Record;
  /** Of a control run, of which nothing else is kept. */
  readonly statusOf: (outcome: TrialOutcome) => TrialStatus;
  /** Of an earlier run that did not come to its end. */
  readonly journal: Journal | undefined;
  readonly onFinished?: (trial: PlannedTrial, record: Record) => void;
}

export interface RanSuite<Record> {
  readonly records: ReadonlyMap<PlannedTrial, Record>;
  readonly probe: Probe;
}

/** Runs a plan: packs are probed, then controls and trials run; what a journal holds is not run again. */
export async function runSuite<Record extends Finished>(
  plan: RunPlan,
  options: RunSuiteOptions<Record>,
): Promise<RanSuite<Record>> {
  const { ports, journal } = options;
  const packs = [...new Set(plan.scenarios.flatMap(({ pack }) => pack ?? []))];
  const probe = await inPhase(ports.tracing, { name: 'otel_eval probe' }, () =>
    probePacks({ packs, input: plan.suite.run?.probe }, ports),
  );
  const byName = new Map(plan.scenarios.map((planned) => [planned.scenario.name, planned]));
  const runnable = plan.trials.filter(({ scenario }) => mayRun(byName.get(scenario), probe));
  const finished = new Map(
    runnable.flatMap((trial) => {
      const kept = journal?.finished.get(trialKey(trial));
      return kept === undefined ? [] : [[trial, kept as Record] as const];
    }),
  );
  const left = runnable.filter((trial) => !finished.has(trial));
  const controls = await runControls(planControls(plan, left), options);
  const records = await runTrials(runnable, {
    concurrency: options.concurrency,
    bail: options.bail,
    signal: ports.signal,
    scenarios: stopRules(plan),
    finished,
    run: async (trial) =>
      options.record(
        await runOneTrial(withControls(byName.get(trial.scenario) as PlannedScenario, controls), trial, ports),
      ),
    onFinished: (trial, record) => {
      journal?.append(trialKey(trial), record);
      options.onFinished?.(trial, record);
    },
  });
  return { records, probe };
}

/** What does not apply is not run, and neither is anything of a target that could not be probed. */
function mayRun(planned: PlannedScenario | undefined, { packs, problem }: Probe): boolean {
  if (planned === undefined) return false;
  if (planned.pack === undefined) return true;
  return problem === null && (packs.get(planned.pack.name) as Applicability | undefined)?.state !== 'notApplicable';
}

type StopRules = ReadonlyMap<
  string,
  { readonly policy: TrialPolicy; readonly planned: number; readonly stopEarly: boolean }
>;

function stopRules({ scenarios, shard }: RunPlan): StopRules {
  return new Map(
    scenarios.map(({ scenario, policy, planned, stopEarly }) => [
      scenario.name,
      // A shard does not see the other trials, so it cannot know what is decided.
      { policy, planned, stopEarly: stopEarly && shard === null },
    ]),
  );
}
