import type { Trace } from '../trace/trace.ts';

/** Of a chain of ancestors so many are shown at each end. */
const chainEnd = 4;

/**
 * Which spans of a long trace are shown in about `rows` rows: the guilty ones with their ancestors and nearest
 * siblings; where none is guilty, the top of the tree, level by level.
 */
export function keptSpans(trace: Trace, guilty: ReadonlySet<string>, rows: number): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const { spanId } of trace.spans) {
    if (kept.size >= rows) break;
    if (guilty.has(spanId)) keepWithAncestors(trace, spanId, kept);
  }
  for (const spanId of [...kept].filter((id) => guilty.has(id))) {
    if (kept.size >= rows) break;
    for (const sibling of nearestSiblings(trace, spanId)) kept.add(sibling);
  }
  if (kept.size === 0) keepLevelByLevel(trace, rows, kept);
  return kept;
}

function keepWithAncestors(trace: Trace, spanId: string, kept: Set<string>): void {
  const chain: string[] = [];
  const walked = new Set<string>();
  let span = trace.spansById.get(spanId);
  while (span !== undefined && !walked.has(span.spanId)) {
    walked.add(span.spanId);
    chain.push(span.spanId);
    span = span.parentSpanId === undefined ? undefined : trace.spansById.get(span.parentSpanId);
  }
  const ends = chain.length <= 2 * chainEnd ? chain : [...chain.slice(0, chainEnd), ...chain.slice(-chainEnd)];
  for (const id of ends) kept.add(id);
}

function nearestSiblings(trace: Trace, spanId: string): string[] {
  const parent = trace.spansById.get(spanId)?.parentSpanId;
  if (parent === undefined) return [];
  const siblings = trace.childrenOf(parent);
  const at = siblings.findIndex((sibling) => sibling.spanId === spanId);
  return [siblings[at - 1], siblings[at + 1]].flatMap((sibling) => (sibling === undefined ? [] : [sibling.spanId]));
}

function keepLevelByLevel(trace: Trace, rows: number, kept: Set<string>): void {
  const orphans = trace.orphans.flatMap(({ spanId }) => trace.spansById.get(spanId) ?? []);
  let level = [...trace.roots, ...orphans];
  while (level.length > 0 && kept.size < rows) {
    for (const { spanId } of level.slice(0, rows - kept.size)) kept.add(spanId);
    level = level.flatMap(({ spanId }) => (kept.has(spanId) ? trace.childrenOf(spanId) : []));
  }
  // Nothing but cycles.
  if (kept.size === 0) for (const { spanId } of trace.spans.slice(0, rows)) kept.add(spanId);
}
