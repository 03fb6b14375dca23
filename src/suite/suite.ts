import type { Assertion } from '../verdict/assertion.ts';
import type { RunSelection } from './run-selection.ts';
import type { TracesDocument } from './suite-document.ts';

/** An assertion with parameters that it has accepted. */
export interface AssertionUse {
  readonly assertion: Assertion;
  readonly parameters: unknown;
}

/** Which runs are judged by what. */
export interface Scenario {
  readonly name: string;
  readonly tags: readonly string[];
  readonly select: RunSelection;
  /** `remote`: the top span was called from outside, its one absent parent counts as resolved. */
  readonly root: 'local' | 'remote';
  /** Services that take part: a trace without one of them is not proven. */
  readonly services: readonly string[];
  /** `settled`: on a remote source a trace that has settled is enough. `undefined`: as the command line says. */
  readonly completeness: 'proven' | 'settled' | undefined;
  /** What tells runs apart where no run id does. */
  readonly runBy: 'conversation' | undefined;
  /** Everything that is selected is one run, at the user's word. */
  readonly oneRun: boolean;
  readonly assertions: readonly AssertionUse[];
}

/** A suite as it is judged: defaults filled in, every assertion known and its parameters accepted. */
export interface Suite {
  /** `null` for assertions given on the command line alone. */
  readonly name: string | null;
  /** The file it was read from. */
  readonly path: string | undefined;
  readonly traces: TracesDocument;
  readonly scenarios: readonly Scenario[];
}
