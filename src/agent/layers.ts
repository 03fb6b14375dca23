import { ShapedAttributes } from '../trace/attribute-shape.ts';
import type { Attributes } from '../trace/attributes.ts';
import type { Scope, Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects/index.ts';
import { Layer } from './layer.ts';

const byKey: ReadonlyMap<string, Dialect> = new Map(
  [...dialects].reverse().flatMap((dialect) => (dialect.keys ?? []).map((key): [string, Dialect] => [key, dialect])),
);
const ranks: ReadonlyMap<Dialect, number> = new Map(dialects.map((dialect, rank) => [dialect, rank]));
const byScope = new WeakMap<Scope, Dialect | null>();
/** Each message has scopes of its own, of few names. */
const byScopeName = new Map<string, Dialect | null>();
const mostScopeNames = 1_000;
const bySharedKeys = new WeakMap<readonly string[], Dialect | null>();

/** The dialect whose scope or keys a span carries; the first of the list wins. */
export function dialectOf({ scope, attributes, name }: Span): Dialect | undefined {
  const known = byScope.get(scope);
  const decided = known === undefined ? ofScope(scope) : known;
  return decided ?? ofAttributes(attributes) ?? ofName(name);
}

const named = dialects.filter(({ names }) => names !== undefined);
const anyName = new RegExp(named.map(({ names }) => names?.source ?? '').join('|'));

function ofName(name: string): Dialect | undefined {
  return anyName.test(name) ? named.find(({ names }) => names?.test(name)) : undefined;
}

function ofScope(scope: Scope): Dialect | null {
  const known = byScopeName.get(scope.name);
  const dialect = known === undefined ? ofScopeName(scope.name) : known;
  byScope.set(scope, dialect);
  return dialect;
}

function ofScopeName(name: string): Dialect | null {
  const dialect = dialects.find(({ scopes }) => scopes?.test(name) === true) ?? null;
  if (byScopeName.size < mostScopeNames) byScopeName.set(name, dialect);
  return dialect;
}

function ofAttributes(attributes: Attributes): Dialect | null {
  if (!(attributes instanceof ShapedAttributes)) return ofKeys(attributes.keys());
  const keys = attributes.sharedKeys;
  const known = bySharedKeys.get(keys);
  if (known !== undefined) return known;
  const dialect = ofKeys(keys);
  bySharedKeys.set(keys, dialect);
  return dialect;
}

function ofKeys(keys: Iterable<string>): Dialect | null {
  let best: Dialect | null = null;
  let bestRank = dialects.length;
  for (const key of keys) {
    const dialect = byKey.get(key);
    const rank = dialect === undefined ? bestRank : (ranks.get(dialect) ?? bestRank);
    if (dialect !== undefined && rank < bestRank) {
      best = dialect;
      bestRank = rank;
    }
  }
  return best;
}

/** The layers of a trace in causal order, each with the nearest one above it. Linear in spans. */
export function layersOf(trace: Trace): readonly Layer[] {
  const layers: Layer[] = [];
  const parents = parentIdsOf(trace);
  const byId = new Map<string, Layer>();
  for (const span of trace.spans) {
    const dialect = dialectOf(span);
    const kind = dialect?.kind(span, trace);
    if (dialect === undefined || kind === undefined) continue;
    const layer = new Layer(span, trace, dialect, kind);
    layers.push(layer);
    if (parents.has(span.spanId)) byId.set(span.spanId, layer);
  }
  if (layers.length > 0) connect(trace, layers, byId);
  return layers;
}

/** Most spans have no children: they need not be found by their ids. */
function parentIdsOf({ spans }: Trace): ReadonlySet<string> {
  const ids = new Set<string>();
  let last: string | undefined;
  for (const { parentSpanId } of spans) {
    if (parentSpanId === undefined || parentSpanId === last) continue;
    last = parentSpanId;
    ids.add(parentSpanId);
  }
  return ids;
}

function connect(trace: Trace, layers: readonly Layer[], byId: ReadonlyMap<string, Layer>): void {
  const above = new Map<string, Layer | undefined>();
  // Spans that go round in a circle have nothing above them, so that every walk upward ends.
  const circling = new Set(trace.cycles.flat());
  for (const layer of layers) {
    const { spanId, parentSpanId } = layer.span;
    if (parentSpanId === undefined || circling.has(spanId)) continue;
    layer.parent = byId.get(parentSpanId) ?? nearest(parentSpanId, trace, byId, above);
  }
}

/** Walks up and remembers the answer for every plain span on the way, so that long plain chains are walked once. */
function nearest(
  start: string | undefined,
  trace: Trace,
  byId: ReadonlyMap<string, Layer>,
  above: Map<string, Layer | undefined>,
): Layer | undefined {
  const walked: string[] = [];
  let here = start;
  let found: Layer | undefined;
  while (here !== undefined) {
    found = byId.get(here);
    if (found !== undefined) break;
    if (above.has(here)) {
      found = above.get(here);
      break;
    }
    above.set(here, undefined); // also ends a walk around a cycle
    walked.push(here);
    here = trace.spansById.get(here)?.parentSpanId;
  }
  for (const id of walked) above.set(id, found);
  return found;
}
