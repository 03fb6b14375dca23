import type { OrphanSpan, Trace } from './trace.ts';

/** Absent parents that the suite declares: they are no loss. */
export interface DeclaredParents {
  /** The top span was called from outside: its one absent parent counts as resolved. */
  readonly remoteRoot?: boolean;
  /** Names of spans below the one parent that the program never ends. */
  readonly absentParentOf?: readonly string[];
}

export interface ResolvedOrphans {
  /** Below the absent parent of `absentParentOf`. */
  readonly declared: readonly OrphanSpan[];
  /** Whose parent is absent and declared by nothing. */
  readonly lost: readonly OrphanSpan[];
  /** There is a root, or every span at the top is declared. */
  readonly hasTop: boolean;
}

/** Which orphans of a trace are declared. Spans of declared names below several absent parents are not: one was lost. */
export function resolvedOrphans(
  trace: Trace,
  { remoteRoot = false, absentParentOf }: DeclaredParents,
): ResolvedOrphans {
  const declared = absentParentOf === undefined ? [] : belowOneParent(trace, absentParentOf);
  const known = new Set(declared);
  const undeclared = declared.length === 0 ? trace.orphans : trace.orphans.filter((one) => !known.has(one));
  const rootless = trace.roots.length === 0;
  const lost = rootless && remoteRoot && undeclared.length === 1 ? [] : undeclared;
  return { declared, lost, hasTop: !rootless || (trace.orphans.length > 0 && lost.length === 0) };
}

function belowOneParent(trace: Trace, names: readonly string[]): readonly OrphanSpan[] {
  const named = trace.orphans.filter(({ spanId }) => names.includes(trace.spansById.get(spanId)?.name ?? ''));
  return named.every(({ parentSpanId }) => parentSpanId === named[0]?.parentSpanId) ? named : [];
}
