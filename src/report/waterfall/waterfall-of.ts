import type { Run } from '../../agent/run.ts';
import type { DeclaredParents } from '../../trace/declared-parents.ts';
import type { CollectedTrace } from '../../trace/trace-set.ts';
import { callNotes } from '../call-notes.ts';
import { spanTree } from '../span-tree.ts';
import { stepKinds } from '../step-kinds.ts';
import { faultNotes } from './fault-notes.ts';
import { spanFacts } from './span-facts.ts';
import type { Waterfall } from './waterfall.ts';

export interface WaterfallOptions {
  /** At most about so many rows; what is guilty stays. */
  readonly rows: number;
  readonly guilty: ReadonlySet<string>;
  /** Leaves times out. */
  readonly deterministic: boolean;
  readonly declared: DeclaredParents;
}

/** A trace of a run, ready to be drawn; nothing of the trace itself is kept. */
export function waterfallOf({ trace, completeness }: CollectedTrace, run: Run, options: WaterfallOptions): Waterfall {
  const { rows: most, guilty, deterministic, declared } = options;
  const factsOf = spanFacts(run);
  const rows = spanTree(trace, {
    rows: most,
    guilty,
    durations: !deterministic,
    declared,
    noteOf: callNotes(run),
    stepOf: stepKinds(run),
  });
  return {
    traceId: trace.traceId,
    spans: trace.spans.length,
    completeness,
    rows: rows.map((row) => {
      const span = row.spanId === null ? undefined : trace.spansById.get(row.spanId);
      if (span === undefined) return { ...row, faults: [], facts: [] };
      return { ...row, faults: faultNotes(span), facts: factsOf(span) };
    }),
  };
}
