import type { AssertionUse } from './assertion-use.ts';
import type { ScenarioFault, SuiteFaults } from './faults/parse-faults.ts';
import type { Pack } from './pack/pack.ts';
import type { JudgeDocument, TargetDocument, TrialsDocument } from './run/run-document.ts';
import type { RunSelection } from './run-selection.ts';
import type { ProfileDocument, TracesDocument } from './suite-document.ts';

/** One turn: what is asked, and what it alone must have done. */
export interface StepUse {
  readonly name: string;
  readonly input: unknown;
  readonly conversation: string;
  readonly assertions: readonly AssertionUse[];
}

/** What of a scenario is for `otel-eval run`. */
export interface ScenarioRun {
  readonly steps: readonly StepUse[];
  readonly pack: string | undefined;
  /** Names of assertions that every trial must pass, whatever the policy. */
  readonly everyTrial: readonly string[];
  readonly judges: readonly string[];
  /** Of a scenario that a fault plan has made. */
  readonly fault?: ScenarioFault | undefined;
  readonly own: TrialsDocument;
}

/** What of a suite is for `otel-eval run`. */
export interface SuiteRun {
  readonly target: TargetDocument | undefined;
  readonly profiles: Readonly<Record<string, ProfileDocument>>;
  readonly packs: readonly Pack[];
  /** What the target is asked before the trials; absent: it is only opened and closed. */
  readonly probe: unknown;
  readonly judges: Readonly<Record<string, JudgeDocument>>;
  readonly faults?: SuiteFaults | undefined;
  readonly defaults: TrialsDocument;
}

/** Which runs are judged by what. */
export interface Scenario {
  readonly name: string;
  readonly tags: readonly string[];
  readonly select: RunSelection;
  /** `remote`: the top span was called from outside, its one absent parent counts as resolved. */
  readonly root: 'local' | 'remote';
  /** Names of spans below the one parent that the program never ends: it counts as resolved. */
  readonly absentParentOf?: readonly string[] | undefined;
  /** Services that take part: a trace without one of them is not proven. */
  readonly services: readonly string[];
  /** `settled`: on a remote source a trace that has settled is enough. `undefined`: as the command line says. */
  readonly completeness: 'proven' | 'settled' | undefined;
  /** What tells runs apart where no run id does. */
  readonly runBy: 'conversation' | undefined;
  /** Everything that is selected is one run, at the user's word. */
  readonly oneRun: boolean;
  readonly assertions: readonly AssertionUse[];
  /** Absent for a scenario that only judges what is there. */
  readonly run?: ScenarioRun;
}

/** A suite as it is judged: defaults filled in, every assertion known and its parameters accepted. */
export interface Suite {
  /** `null` for assertions given on the command line alone. */
  readonly name: string | null;
  /** The file it was read from. */
  readonly path: string | undefined;
  readonly traces: TracesDocument;
  readonly scenarios: readonly Scenario[];
  readonly run?: SuiteRun;
}
