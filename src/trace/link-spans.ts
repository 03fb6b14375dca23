import { ownAttributes } from './own-attributes.ts';
import type { Span } from './span.ts';
import type { OrphanSpan, Trace } from './trace.ts';

export type Linked = Pick<Trace, 'spans' | 'spansById' | 'roots' | 'orphans' | 'cycles' | 'childrenOf'>;

/**
 * How rows hang together, for the ordinary case: distinct ids, distinct start times, no parent that starts after its
 * child. One pass. `undefined` where the rows are not so; `linkSpans` then does it in full, with the same result.
 */
export function linkOrdinarySpans(rows: readonly Span[]): Linked | undefined {
  const inOrder = startOneByOne(rows);
  const spans = inOrder ? [...rows] : rows.toSorted(byStart);
  if (!inOrder && !startOneByOne(spans)) return undefined;
  const byId = new Map<string, Span>();
  const roots: Span[] = [];
  const strays: Span[] = [];
  for (const span of spans) {
    const parent = span.parentSpanId;
    if (parent === undefined) roots.push(span);
    else if (!byId.has(parent)) strays.push(span);
    byId.set(span.spanId, span);
  }
  if (byId.size !== spans.length) return undefined;
  const orphans: OrphanSpan[] = [];
  for (const { spanId, parentSpanId = '' } of strays) {
    if (byId.has(parentSpanId)) return undefined;
    orphans.push({ spanId, parentSpanId });
  }
  return { spans, spansById: byId, roots, orphans, cycles: [], childrenOf: childrenOf(spans) };
}

/** How spans with distinct ids hang together, whatever their times and parents. Near linear. */
export function linkSpans(unordered: readonly Span[]): Linked {
  const byId = new Map<string, Span>();
  for (const span of unordered) byId.set(span.spanId, span);
  const { depths, cycles } = measureDepths(unordered, byId);
  const spans = causalOrder(unordered, depths);
  const roots = spans.filter((span) => span.parentSpanId === undefined);
  const orphans = spans.flatMap(({ spanId, parentSpanId }) =>
    parentSpanId === undefined || byId.has(parentSpanId) ? [] : [{ spanId, parentSpanId }],
  );
  return { spans, spansById: byId, roots, orphans, cycles, childrenOf: childrenOf(spans) };
}

const noSpans: readonly Span[] = Object.freeze([]);

/** Looks children up in a map that is made when first asked for. */
function childrenOf(spans: readonly Span[]): (spanId: string) => readonly Span[] {
  let children: Map<string, Span[]> | undefined;
  return (spanId) => {
    children ??= groupByParent(spans);
    return children.get(spanId) ?? noSpans;
  };
}

function groupByParent(spans: readonly Span[]): Map<string, Span[]> {
  const children = new Map<string, Span[]>();
  for (const span of spans) {
    const { parentSpanId } = span;
    if (parentSpanId === undefined || parentSpanId === span.spanId) continue;
    const siblings = children.get(parentSpanId);
    if (siblings === undefined) children.set(parentSpanId, [span]);
    else siblings.push(span);
  }
  return children;
}

/** Each starts after the one before. */
function startOneByOne(spans: readonly Span[]): boolean {
  for (let i = 1; i < spans.length; i += 1) {
    if ((spans[i] as Span).startUnixNano <= (spans[i - 1] as Span).startUnixNano) return false;
  }
  return true;
}

function byStart(a: Span, b: Span): number {
  return a.startUnixNano < b.startUnixNano ? -1 : a.startUnixNano > b.startUnixNano ? 1 : 0;
}

interface Depths {
  readonly depths: ReadonlyMap<string, number>;
  readonly cycles: readonly (readonly string[])[];
}

/** Distance of each span from its top, by id, and the loops met on the way up. Each span is walked once. */
function measureDepths(spans: readonly Span[], byId: ReadonlyMap<string, Span>): Depths {
  const depths = new Map<string, number>();
  const cycles: string[][] = [];
  for (const span of spans) {
    const path = wayUp(span, byId, depths);
    const above = byId.get(path.at(-1) ?? '')?.parentSpanId ?? '';
    const met = byId.has(above) ? depths.get(above) : undefined;
    let depth = (met ?? -1) + 1;
    if (met === onThisPath) {
      // Every member of a cycle is a top, so that it does not matter where the walk came in.
      const cycle = path.splice(path.indexOf(above));
      for (const member of cycle) depths.set(member, 0);
      cycles.push(fromSmallest(cycle));
      depth = 1;
    }
    for (const id of path.reverse()) {
      depths.set(id, depth);
      depth += 1;
    }
  }
  return { depths, cycles: cycles.sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1)) };
}

/** Ids from here upward, until one that was passed before; they are marked. */
function wayUp(from: Span, byId: ReadonlyMap<string, Span>, depths: Map<string, number>): string[] {
  const path: string[] = [];
  for (let span: Span | undefined = from; span !== undefined && !depths.has(span.spanId); ) {
    depths.set(span.spanId, onThisPath);
    path.push(span.spanId);
    span = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
  }
  return path;
}

const onThisPath = -1;

/** Around the loop, each id followed by its parent, starting from the smallest. */
function fromSmallest(ids: string[]): string[] {
  let smallest = 0;
  for (let i = 1; i < ids.length; i += 1) if ((ids[i] as string) < (ids[smallest] as string)) smallest = i;
  return [...ids.slice(smallest), ...ids.slice(0, smallest)];
}

/**
 * Start time, then parent before child, then as one processor saw them start, which is finer than a clock of
 * milliseconds, then by id, so that every source of a trace gives the same order.
 */
function causalOrder(spans: readonly Span[], depths: ReadonlyMap<string, number>): readonly Span[] {
  return [...spans].sort((a, b) => {
    if (a.startUnixNano !== b.startUnixNano) return a.startUnixNano < b.startUnixNano ? -1 : 1;
    const deeper = (depths.get(a.spanId) ?? 0) - (depths.get(b.spanId) ?? 0);
    if (deeper !== 0) return deeper;
    return byEventIndex(a, b) || (a.spanId < b.spanId ? -1 : 1);
  });
}

function byEventIndex(a: Span, b: Span): number {
  const [one, other] = [segmentOf(a), segmentOf(b)];
  if (one !== other) return one < other ? -1 : 1;
  return one === '' ? 0 : indexOf(a) - indexOf(b);
}

function segmentOf({ attributes }: Span): string {
  const segment = attributes.get(ownAttributes.segment);
  return typeof segment === 'string' ? segment : '';
}

function indexOf({ attributes }: Span): number {
  const index = attributes.get(ownAttributes.eventIndex);
  return typeof index === 'number' ? index : 0;
}
