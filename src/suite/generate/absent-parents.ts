import type { CollectedTrace } from '../../trace/trace-set.ts';
import { isStableSpanName } from './span-identity.ts';

/** What a suite declares of spans whose parent its runs never export; nothing for runs that hang together. */
export interface AbsentParents {
  readonly root?: 'remote';
  readonly absentParentOf?: readonly string[];
}

/**
 * Of runs that are whole but for one parent each: a program that dies leaves a span without an end, which is never exported, and
 * a service that was called hangs below a span of its caller. Where more is absent, or may be, spans were lost, and nothing is
 * declared.
 */
export function absentParentsOf(runs: readonly { readonly traces: readonly CollectedTrace[] }[]): AbsentParents {
  const broken = runs.flatMap(({ traces }) => traces.filter(({ completeness }) => completeness.state === 'broken'));
  if (broken.length === 0 || !broken.every(lacksOnlyParents)) return {};
  if (!runs.every(({ traces }) => lacksOneParent(traces))) return {};
  if (broken.every(({ trace }) => trace.roots.length === 0 && trace.orphans.length === 1)) return { root: 'remote' };
  const names = broken.flatMap(({ trace }) =>
    trace.orphans.map(({ spanId }) => trace.spansById.get(spanId)?.name ?? ''),
  );
  return names.every(isStableSpanName) ? { absentParentOf: [...new Set(names)].sort() } : {};
}

/** A span without an end is a loss of its own, which no declaration takes away. */
function lacksOnlyParents({ trace: { orphans, open, unfinished } }: CollectedTrace): boolean {
  return orphans.length > 0 && open.length === 0 && unfinished.length === 0;
}

/** At most one, and that in no other trace of the run; from a source that has ended and loses nothing by itself. */
function lacksOneParent(traces: readonly CollectedTrace[]): boolean {
  if (!traces.every(({ facts }) => facts.ended && !facts.remote && !facts.cut)) return false;
  const parents = new Set(traces.flatMap(({ trace }) => trace.orphans.map(({ parentSpanId }) => parentSpanId)));
  return parents.size <= 1 && traces.every(({ trace }) => ![...parents].some((id) => trace.spansById.has(id)));
}
