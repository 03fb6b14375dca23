import { ownAttributes } from './own-attributes.ts';
import type { Span } from './span.ts';
import { measureDepths } from './span-depths.ts';
import type { OrphanSpan, Trace } from './trace.ts';

export interface Linked extends Pick<Trace, 'spans' | 'roots' | 'orphans' | 'cycles' | 'childrenOf'> {
  /** Where it was not needed, it is made when it is asked for. */
  readonly spansById: ReadonlyMap<string, Span> | undefined;
}

/**
 * How rows hang together, for the ordinary case: distinct ids, distinct start times, no parent that starts after its
 * child. One pass. `undefined` where the rows are not so; `linkSpans` then does it in full, with the same result.
 */
export function linkOrdinarySpans(rows: readonly Span[]): Linked | undefined {
  const order = orderOfStarts(rows);
  if (order === 'ties') return undefined;
  const spans = order === 'one by one' ? [...rows] : rows.toSorted(byStart);
  if (order === 'mixed' && orderOfStarts(spans) !== 'one by one') return undefined;
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

/**
 * How spans with distinct ids hang together, whatever their times and parents. Near linear. `places` tells where in the
 * list the span of an id stands.
 */
export function linkSpans(unordered: readonly Span[], places: ReadonlyMap<string, number>): Linked {
  const { depths, cycles } = measureDepths(unordered, places);
  const spans = causalOrder(unordered, depths);
  const roots = spans.filter((span) => span.parentSpanId === undefined);
  const orphans: OrphanSpan[] = [];
  for (const { spanId, parentSpanId } of spans) {
    if (parentSpanId !== undefined && !places.has(parentSpanId)) orphans.push({ spanId, parentSpanId });
  }
  return { spans, spansById: undefined, roots, orphans, cycles, childrenOf: childrenOf(spans) };
}

export function byIdOf(spans: readonly Span[]): ReadonlyMap<string, Span> {
  const byId = new Map<string, Span>();
  for (const span of spans) byId.set(span.spanId, span);
  return byId;
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

/** Each starts after the one before; some start together, and none before; neither. */
function orderOfStarts(spans: readonly Span[]): 'one by one' | 'ties' | 'mixed' {
  let hasTies = false;
  for (let i = 1; i < spans.length; i += 1) {
    const before = (spans[i - 1] as Span).startUnixNano;
    const start = (spans[i] as Span).startUnixNano;
    if (start < before) return 'mixed';
    hasTies ||= start === before;
  }
  return hasTies ? 'ties' : 'one by one';
}

function byStart(a: Span, b: Span): number {
  return a.startUnixNano < b.startUnixNano ? -1 : a.startUnixNano > b.startUnixNano ? 1 : 0;
}

/**
 * Start time, then parent before child, then as one processor saw them start, which is finer than a clock of
 * milliseconds, then the one that ended first (of two steps in one millisecond, the first had ended before the second
 * did), then by id, so that every source of a trace gives the same order.
 */
function causalOrder(spans: readonly Span[], depths: Int32Array): readonly Span[] {
  const places = Array.from(spans, (_, place) => place);
  places.sort((one, other) => {
    const [a, b] = [spans[one] as Span, spans[other] as Span];
    if (a.startUnixNano !== b.startUnixNano) return a.startUnixNano < b.startUnixNano ? -1 : 1;
    const deeper = (depths[one] as number) - (depths[other] as number);
    if (deeper !== 0) return deeper;
    return byEventIndex(a, b) || byEnd(a, b) || (a.spanId < b.spanId ? -1 : 1);
  });
  return places.map((place) => spans[place] as Span);
}

function byEventIndex(a: Span, b: Span): number {
  const [one, other] = [segmentOf(a), segmentOf(b)];
  if (one !== other) return one < other ? -1 : 1;
  return one === '' ? 0 : indexOf(a) - indexOf(b);
}

/** What has not ended comes last. */
function byEnd({ endUnixNano: a }: Span, { endUnixNano: b }: Span): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}

function segmentOf({ attributes }: Span): string {
  const segment = attributes.get(ownAttributes.segment);
  return typeof segment === 'string' ? segment : '';
}

function indexOf({ attributes }: Span): number {
  const index = attributes.get(ownAttributes.eventIndex);
  return typeof index === 'number' ? index : 0;
}
