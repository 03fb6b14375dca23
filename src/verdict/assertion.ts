import type { z } from 'zod';
import type { Run } from '../agent/run.ts';
import type { CollectedTrace, SourceKind } from '../trace/trace-set.ts';
import type { FindingArguments, Verdict } from './verdict.ts';

/** All that an assertion may look at. */
export interface View {
  /** The run to be judged. */
  readonly run: Run;
  /** Its traces with what is known of their completeness, in order of start. */
  readonly traces: readonly CollectedTrace[];
  readonly source: {
    readonly kind: SourceKind;
    /** The user said that `settled` will do on a remote source (`--completeness settled`). */
    readonly acceptsSettled: boolean;
    /** More spans may still come: only what they cannot undo is decided. */
    readonly beforeDeadline: boolean;
  };
  /** Declared by the suite: the one absent parent of the top span counts as resolved. */
  readonly remoteRoot: boolean;
  /** Declared by the suite: names of spans below the one parent that the program never ends; it counts as resolved. */
  readonly absentParentOf?: readonly string[];
  /** HMAC of canonical JSON under the digest key, `null` without a key. For arguments that are only digests in the trace. */
  digest(value: unknown): string | null;
  /** Traces of the same source that no scenario selected: for mention, never judged. */
  readonly unselected: readonly { readonly traceId: string; readonly topSpanNames: readonly string[] }[];
}

/**
 * The two clauses that tell of a finding; made from its arguments alone, so that every door says the same.
 * (Written as methods, so that a table with exactly typed arguments is a table of findings.)
 */
export interface FindingSentence<Arguments extends FindingArguments = FindingArguments> {
  /** What should have held: `every span reachable from one root`. */
  expected(args: Arguments): string;
  /** What was there: `"chat" names a parent that was not collected`. */
  observed(args: Arguments): string;
}

/**
 * An assertion: a rule with parameters. `evaluate` is pure: no clock, network, randomness or `node:*`.
 *
 * @example
 * export const spansMatch: Assertion<SpansMatchParameters> = { id: 'SpansMatch', … };
 */
export interface Assertion<Parameters = unknown> {
  /** PascalCase, as in suites and reports. */
  readonly id: string;
  /** One sentence for docs and `--help`. */
  readonly summary: string;
  /** What a verdict rests on, one clause for docs: `a whole trace; tool calls, failed ones included, shown`. */
  readonly needs: string;
  /** Described field by field; the JSON Schema of suites is generated from it. */
  readonly parameters: z.ZodType<Parameters>;
  /** Keyed by the code after the slash: `orphan-span`. */
  readonly findings: Readonly<Record<string, FindingSentence>>;
  evaluate(view: View, parameters: Parameters): Verdict;
}
