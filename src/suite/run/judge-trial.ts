import { readRuns } from '../../agent/run-reader.ts';
import type { CollectedTrace, SourceKind } from '../../trace/trace-set.ts';
import type { View } from '../../verdict/assertion.ts';
import type { AssertionUse } from '../assertion-use.ts';
import { evaluateAssertion } from '../judge/evaluate-assertion.ts';
import type { JudgedTrial } from '../judge/judge.ts';
import { packProven } from '../pack/pack-proven.ts';
import type { Driven } from '../trial/drive-target.ts';
import { stepEvidence, type TrialEvidence } from '../trial/trial-evidence.ts';
import type { PlannedScenario } from './run-plan.ts';
import type { StepOutcome } from './trial-outcome.ts';

export interface JudgeTrialOptions {
  readonly source: SourceKind;
  readonly acceptsSettled: boolean;
  readonly digest: (value: unknown) => string | null;
}

/** Judges what a trial left behind: never what it was asked. `null` where nothing is known to be its own. */
export function judgeTrial(
  planned: PlannedScenario,
  evidence: TrialEvidence,
  options: JudgeTrialOptions,
): JudgedTrial | null {
  const { scenario, pack } = planned;
  const proof: AssertionUse[] = pack === undefined ? [] : [{ assertion: packProven, parameters: pack }];
  return judged(planned, [...scenario.assertions, ...proof], {
    traces: evidence.traces,
    remoteRoot: evidence.remoteRoot || scenario.root === 'remote',
    options,
  });
}

/** Judges each step by its own part of the trace. */
export function judgeSteps(
  planned: PlannedScenario,
  driven: Driven,
  evidence: TrialEvidence,
  options: JudgeTrialOptions,
): StepOutcome[] {
  return driven.steps.map((step, at) => {
    const uses = planned.scenario.run?.steps[at]?.assertions ?? [];
    const own = uses.length === 0 ? undefined : stepEvidence(evidence, step);
    return {
      name: step.name,
      state: step.state,
      asserts: uses.length > 0,
      judged: own === undefined ? null : judged(planned, uses, { traces: [own], remoteRoot: true, options }),
    };
  });
}

interface Ground {
  readonly traces: readonly CollectedTrace[];
  readonly remoteRoot: boolean;
  readonly options: JudgeTrialOptions;
}

function judged(
  { scenario }: PlannedScenario,
  uses: readonly AssertionUse[],
  { traces, remoteRoot, options }: Ground,
): JudgedTrial | null {
  const [run] = traces.length === 0 ? [] : readRuns(traces, { oneRun: true });
  if (run === undefined) return null;
  const acceptsSettled =
    scenario.completeness === undefined ? options.acceptsSettled : scenario.completeness === 'settled';
  const view: View = {
    run,
    traces,
    source: { kind: options.source, acceptsSettled, beforeDeadline: false },
    remoteRoot,
    ...(scenario.absentParentOf === undefined ? {} : { absentParentOf: scenario.absentParentOf }),
    digest: options.digest,
    unselected: [],
  };
  return { scenario, view, outcomes: uses.map((use) => evaluateAssertion(use, view)) };
}
