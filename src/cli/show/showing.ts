import type { Run } from '../../agent/run.ts';
import type { Digest } from '../../agent/view.ts';
import type { CollectedTrace, InputReading } from '../../trace/trace-set.ts';
import type { Context } from '../context.ts';

export interface ShowingOptions {
  readonly digest: Digest;
  readonly context: Context;
  readonly options: Readonly<Record<string, unknown>>;
}

/** One form of `show`: takes traces and runs as they come, and is text in the end. */
export interface Showing {
  addTraces(group: readonly CollectedTrace[]): void;
  addRuns(runs: readonly Run[]): void;
  finish(inputs: readonly InputReading[]): string;
}
