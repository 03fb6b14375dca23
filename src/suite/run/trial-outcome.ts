import type { SourceKind } from '../../trace/trace-set.ts';
import type { JudgedTrial } from '../judge/judge.ts';
import type { Driven, TrialProblem } from '../trial/drive-target.ts';
import type { PlannedTrial } from '../trial/planned-trial.ts';
import type { Join, TrialIds } from '../trial/trial-evidence.ts';
import type { PlannedScenario } from './run-plan.ts';

/** A semantic judge's word. Labelled as what it is: it may be another one next time. */
export interface JudgeWord {
  readonly name: string;
  /** May fail a trial that passed otherwise; never the other way round. */
  readonly decides: boolean;
  /** `null`: the judge itself broke. */
  readonly passed: boolean | null;
}

export interface StepOutcome {
  readonly name: string;
  readonly state: Driven['steps'][number]['state'];
  /** `null` where its part of the trace is not at hand, or nothing is asserted of it. */
  readonly judged: JudgedTrial | null;
  readonly asserts: boolean;
}

/** Everything that came of one trial; whoever reports it keeps what may be kept. */
export interface TrialOutcome {
  readonly planned: PlannedTrial;
  readonly scenario: PlannedScenario;
  readonly ids: TrialIds;
  readonly source: SourceKind;
  readonly timedOut: boolean;
  /** Of driving the target, or of fetching its traces. */
  readonly problem: TrialProblem | null;
  /** `null` where no trace is known to be of this trial. */
  readonly judged: JudgedTrial | null;
  readonly joins: readonly Join[];
  readonly strays: number;
  readonly steps: readonly StepOutcome[];
  readonly judges: readonly JudgeWord[];
}
