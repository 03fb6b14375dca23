import {
  type Invalidity,
  invalidities,
  type RecoveryLabel,
  recoveryLabels,
} from '../../faults/recovery/classification.ts';
import type { FindingArguments } from '../../verdict/verdict.ts';
import type { ScenarioReport, TrialReport } from '../report.ts';
import type { FaultedScenario, ResilienceCounts, ResilienceReport } from '../resilience-report.ts';

interface FaultedTrial {
  readonly scenario: ScenarioReport;
  readonly fault: FaultedScenario;
  readonly trial: TrialReport;
  /** What `RecoveryClassified` said; absent where the trial never got so far. */
  readonly facts: FindingArguments | undefined;
}

/** What agents made of the faults of a run; `undefined` where nothing was planted: an empty column, no 0 % and no 100 %. */
export function resilienceOf(scenarios: readonly ScenarioReport[]): ResilienceReport | undefined {
  const faulted = scenarios.filter(({ faulted: fault }) => fault !== undefined);
  const [first] = faulted.flatMap(({ faulted: fault }) => fault ?? []);
  if (first === undefined) return undefined;
  const trials = faulted.flatMap(trialsOf);
  const counts = countsOf(trials);
  return {
    plan: first.plan,
    repeatable: first.repeatable,
    planned: faulted.reduce((sum, { planned = 0 }) => sum + planned, 0),
    exercisedShare: shareOf(labelled(counts), counts.runs),
    minimumExercised: first.minimumExercised,
    ...counts,
    rows: faulted.flatMap((scenario) => {
      const { faulted: fault } = scenario;
      if (fault === undefined) return [];
      const { kind, point, mode } = fault;
      return [{ scenario: scenario.name, kind, point, mode, ...countsOf(trialsOf(scenario)) }];
    }),
    reactions: reactionsOf(trials),
    flags: flagsOf(trials),
    byMode: modesOf(trials),
    ...controlsOf(trials),
    gaps: gapsOf(trials),
  };
}

/** Whether a scenario is open only because its fault says nothing of the agent, which the share judges for all rows. */
export function isExcused(scenario: ScenarioReport, resilience: ResilienceReport | undefined): boolean {
  if (scenario.faulted === undefined || scenario.status !== 'inconclusive' || resilience === undefined) return false;
  if (resilience.exercisedShare < resilience.minimumExercised) return false;
  const excused: readonly Invalidity[] = ['absorbed', 'not_exercised', 'inapplicable'];
  return trialsOf(scenario).every(
    ({ trial, facts }) => trial.status === 'passed' || excused.includes(facts?.['status'] as Invalidity),
  );
}

function trialsOf(scenario: ScenarioReport): FaultedTrial[] {
  const { faulted: fault, trials } = scenario;
  if (fault === undefined) return [];
  return trials.map((trial) => ({
    scenario,
    fault,
    trial,
    facts: trial.assertions.find(({ name }) => name === 'RecoveryClassified')?.facts,
  }));
}

function countsOf(trials: readonly FaultedTrial[]): ResilienceCounts {
  const of = (key: string, value: string): number => trials.filter(({ facts }) => facts?.[key] === value).length;
  const table = <Name extends string>(key: string, names: readonly Name[]): Record<Name, number> =>
    Object.fromEntries(names.map((name) => [name, of(key, name)])) as Record<Name, number>;
  return {
    runs: trials.length,
    labels: table<RecoveryLabel>('label', recoveryLabels),
    invalid: table<Invalidity>('status', invalidities),
    undecided: of('status', 'undecided'),
    untold: trials.filter(({ facts }) => facts === undefined).length,
  };
}

function labelled({ labels }: ResilienceCounts): number {
  return Object.values(labels).reduce((sum, count) => sum + count, 0);
}

function reactionsOf(trials: readonly FaultedTrial[]): ResilienceReport['reactions'] {
  const found: Record<string, Record<string, number>> = {};
  for (const { facts } of trials) {
    const label = facts?.['label'];
    const reaction = facts?.['reaction'];
    if (typeof label !== 'string' || typeof reaction !== 'string') continue;
    const own = found[label] ?? {};
    own[reaction] = (own[reaction] ?? 0) + 1;
    found[label] = own;
  }
  return found;
}

function flagsOf(trials: readonly FaultedTrial[]): Record<string, number> {
  const all = trials.flatMap(({ facts }) => (facts?.['flags'] as readonly string[] | undefined) ?? []);
  return Object.fromEntries([...new Set(all)].sort().map((flag) => [flag, all.filter((each) => each === flag).length]));
}

function modesOf(trials: readonly FaultedTrial[]): ResilienceReport['byMode'] {
  const modes = [...new Set(trials.map(({ fault }) => fault.mode))].sort();
  return Object.fromEntries(
    modes.map((mode) => {
      const own = trials.filter(({ fault }) => fault.mode === mode);
      const steps = own.flatMap(({ trial }) => trial.measures?.['toolCalls'] ?? []).sort((a, b) => a - b);
      const guards = own.filter(({ facts }) =>
        (facts?.['reasons'] as readonly string[] | undefined)?.includes('loop_guard'),
      );
      const medianToolCalls = steps[Math.ceil(steps.length / 2) - 1] ?? null;
      return [mode, { runs: own.length, medianToolCalls, loopGuards: guards.length }];
    }),
  );
}

/** As the trials were told: so a merged or resumed report has them too. The worst of a task counts. */
function controlsOf(trials: readonly FaultedTrial[]): Pick<ResilienceReport, 'controls'> {
  const told = trials.flatMap(({ fault: { task }, facts }) => {
    const { control, controlRuns, controlAgreement } = facts ?? {};
    return typeof control === 'string'
      ? [{ task, status: control, runs: Number(controlRuns), agreement: Number(controlAgreement) }]
      : [];
  });
  const order = ['error', 'failed', 'inconclusive', 'missing', 'passed'];
  const worst = told.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status) || a.agreement - b.agreement);
  const tasks = [...new Set(told.map(({ task }) => task))];
  return told.length === 0 ? {} : { controls: tasks.flatMap((task) => worst.find((each) => each.task === task) ?? []) };
}

/** Kinds that were planted at both points: what the client takes away is the difference. */
function gapsOf(trials: readonly FaultedTrial[]): ResilienceReport['gaps'] {
  const kinds = [...new Set(trials.map(({ fault }) => fault.kind))].sort();
  return kinds.flatMap((kind) => {
    const at = (point: FaultedScenario['point']): readonly FaultedTrial[] =>
      trials.filter(({ fault }) => fault.kind === kind && fault.point === point);
    const above = at('above_client');
    const below = at('below_client');
    if (above.length === 0 || below.length === 0) return [];
    const recovered = (list: readonly FaultedTrial[]): number =>
      list.filter(({ facts }) => facts?.['label'] === 'recovered').length;
    const absorbed = below.filter(({ facts }) => facts?.['status'] === 'absorbed').length;
    return [
      {
        kind,
        above: shareOf(recovered(above), above.length),
        below: shareOf(recovered(below) + absorbed, below.length),
        absorbed,
      },
    ];
  });
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(4));
}
