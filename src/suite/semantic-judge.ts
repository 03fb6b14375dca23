import type { Run } from '../agent/run.ts';

/** What a semantic judge is shown: content, in this process only. */
export interface JudgeEvidence {
  readonly scenario: string;
  readonly steps: readonly { readonly name: string; readonly input: unknown; readonly reply: unknown }[];
  /** The run as read from its trace; `null` without evidence. */
  readonly run: Run | null;
  readonly signal: AbortSignal;
}

/**
 * A judge of meaning: a model, or any other function. What it says is labelled nondeterministic, stands beside the
 * verdict, and never turns a failure or an open question into a pass.
 *
 * @example
 * const polite: SemanticJudge = async ({ steps, signal }) => (await askModel(steps, { signal })) === 'polite';
 */
export type SemanticJudge = (evidence: JudgeEvidence) => boolean | Promise<boolean>;
