import type { Run } from '../../../../src/agent/run.ts';
import type { Span } from '../../../../src/trace/span.ts';

/** What was recorded: one run, and all of its spans. */
export interface Recording {
  readonly spans: readonly Span[];
  readonly run: Run;
}

/**
 * One change that makes the run another one; `undefined` where the trace has nothing that could change so. That is all
 * it may look at: whether a suite would notice plays no part.
 */
export type TraceMutation = (recording: Recording) => readonly Span[] | undefined;
