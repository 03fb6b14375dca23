import type { Run } from '../../agent/run.ts';
import type { Span } from '../../trace/span.ts';
import { compileSpanQuery, type SpanQuery, type SpanStepKind } from '../../trace/span-query.ts';
import { type Candidate, candidate } from './candidate.ts';

/** What the runs had, so much and no other: exact where they agree, else from the least to the most of them. */
export function observedCount(found: readonly number[]): Readonly<Record<string, unknown>> {
  const [low, high] = [Math.min(...found), Math.max(...found)];
  if (high === 0) return { none: true };
  if (low === high) return { exactly: low };
  return low === 0 ? { atMost: high } : { atLeast: low, atMost: high };
}

/** As many spans of this kind, of all there are, as the runs had: that none is left is a fault then, and no riddle. */
export function spanCount(runs: readonly Run[], that: SpanQuery): Candidate {
  const found = runs.map((run) => matching(run, that));
  const [low, high] = [Math.min(...found), Math.max(...found)];
  if (high === 0) return candidate('SpansMatch', { match: {}, expect: { none: that } });
  const which = Object.keys(that).length === 0 ? {} : { that };
  const weaker = low === 0 ? [] : [{ match: {}, expect: { atLeast: low, ...which } }];
  return candidate('SpansMatch', { match: {}, expect: { ...observedCount(found), ...which } }, ...weaker);
}

function matching({ traces, steps }: Run, query: SpanQuery): number {
  const kinds = new Map<Span, SpanStepKind>(
    steps.flatMap(({ kind, spans }) => spans.map((one) => [one, kind] as const)),
  );
  return traces.reduce((sum, trace) => {
    const test = compileSpanQuery(query, { trace, stepKindOf: (span) => kinds.get(span) });
    return sum + trace.spans.filter(test).length;
  }, 0);
}
