import type { Span, SpanReference } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { Finding } from './verdict.ts';

/** Findings by where their first guilty span stands in the tree, those without a span first; spans likewise. */
export function inTreeOrder(findings: readonly Finding[], traces: readonly Trace[]): readonly Finding[] {
  if (findings.every(({ spans }) => spans.length === 0)) return findings;
  const rank = ranks(traces);
  const rankOf = (span: SpanReference | undefined): number =>
    span === undefined ? -1 : (rank.get(`${span.traceId} ${span.spanId}`) ?? Number.POSITIVE_INFINITY);
  return findings
    .map((finding) => ({ ...finding, spans: finding.spans.toSorted((a, b) => compare(rankOf(a), rankOf(b))) }))
    .toSorted((a, b) => compare(rankOf(a.spans[0]), rankOf(b.spans[0])));
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Depth first from the roots, then the orphans, then what only a cycle holds. */
function ranks(traces: readonly Trace[]): Map<string, number> {
  const rank = new Map<string, number>();
  for (const trace of traces) {
    const orphans = trace.orphans.flatMap(({ spanId }) => trace.spansById.get(spanId) ?? []);
    for (const top of [...trace.roots, ...orphans, ...trace.spans]) visit(trace, top, rank);
  }
  return rank;
}

function visit(trace: Trace, top: Span, rank: Map<string, number>): void {
  const stack = [top];
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    const key = `${span.traceId} ${span.spanId}`;
    if (rank.has(key)) continue;
    rank.set(key, rank.size);
    stack.push(...trace.childrenOf(span.spanId).toReversed());
  }
}
