import type { Span } from './span.ts';
import type { OrphanSpan, Trace } from './trace.ts';

type Linked = Pick<Trace, 'spans' | 'spansById' | 'roots' | 'orphans' | 'cycles' | 'childrenOf'>;

/** How spans with distinct ids hang together. Linear but for the sort, which is near linear on spans in order. */
export function linkSpans(unordered: readonly Span[]): Linked {
  const byId = new Map<string, Span>();
  for (const span of unordered) byId.set(span.spanId, span);
  const { depths, cycles } = measureDepths(unordered, byId);
  const spans = causalOrder(unordered, depths);
  const roots: Span[] = [];
  const orphans: OrphanSpan[] = [];
  const children = new Map<string, Span[]>();
  for (const span of spans) {
    const { parentSpanId } = span;
    if (parentSpanId === undefined) {
      roots.push(span);
    } else if (!byId.has(parentSpanId)) {
      orphans.push({ spanId: span.spanId, parentSpanId });
    } else if (parentSpanId !== span.spanId) {
      const siblings = children.get(parentSpanId);
      if (siblings === undefined) children.set(parentSpanId, [span]);
      else siblings.push(span);
    }
  }
  return { spans, spansById: byId, roots, orphans, cycles, childrenOf: (spanId) => children.get(spanId) ?? [] };
}

interface Depths {
  readonly depths: ReadonlyMap<Span, number>;
  readonly cycles: readonly (readonly string[])[];
}

/** Distance of each span from its top, and the loops met on the way up. Each span is walked once. */
function measureDepths(spans: readonly Span[], byId: ReadonlyMap<string, Span>): Depths {
  const depths = new Map<Span, number>();
  const cycles: string[][] = [];
  for (const start of spans) {
    const path: Span[] = [];
    let span: Span | undefined = start;
    while (span !== undefined && !depths.has(span)) {
      depths.set(span, -1);
      path.push(span);
      span = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
    }
    let depth = span === undefined ? 0 : (depths.get(span) ?? 0) + 1;
    if (span !== undefined && depths.get(span) === -1) {
      cycles.push(fromSmallest(path.slice(path.indexOf(span)).map((member) => member.spanId)));
      depth = 0;
    }
    for (let i = path.length - 1; i >= 0; i -= 1) {
      depths.set(path[i] as Span, depth);
      depth += 1;
    }
  }
  return { depths, cycles: cycles.sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1)) };
}

/** Around the loop, each id followed by its parent, starting from the smallest. */
function fromSmallest(ids: string[]): string[] {
  let smallest = 0;
  for (let i = 1; i < ids.length; i += 1) if ((ids[i] as string) < (ids[smallest] as string)) smallest = i;
  return [...ids.slice(smallest), ...ids.slice(0, smallest)];
}

/** Start time, then parent before child, then by id, so that every source of a trace gives the same order. */
function causalOrder(spans: readonly Span[], depths: ReadonlyMap<Span, number>): readonly Span[] {
  return [...spans].sort((a, b) => {
    if (a.startUnixNano !== b.startUnixNano) return a.startUnixNano < b.startUnixNano ? -1 : 1;
    const deeper = (depths.get(a) ?? 0) - (depths.get(b) ?? 0);
    return deeper === 0 ? (a.spanId < b.spanId ? -1 : 1) : deeper;
  });
}
