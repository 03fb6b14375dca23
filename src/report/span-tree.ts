import type { Step } from '../agent/run.ts';
import { type DeclaredParents, resolvedOrphans } from '../trace/declared-parents.ts';
import { displayName } from '../trace/display-name.ts';
import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import { keptSpans } from './kept-spans.ts';
import type { TreeRow } from './tree-row.ts';

export interface SpanTreeOptions {
  /** Ids of spans that findings point at. */
  readonly guilty?: ReadonlySet<string>;
  /** About how many rows may be shown; long traces are folded around the guilty spans. Default: all. */
  readonly rows?: number;
  /** `false` leaves durations out. Default `true`. */
  readonly durations?: boolean;
  /** Absent parents that the suite declares: they are not called missing. */
  readonly declared?: DeclaredParents;
  /** More to say of a span, as `attempt 2`. */
  readonly noteOf?: (span: Span) => readonly string[];
  /** What a span stands for in its run. */
  readonly stepOf?: (span: Span) => Step['kind'] | undefined;
}

/**
 * A trace as rows, in causal order: roots first, then each orphan apart, then what hangs in a cycle. No span is
 * dropped without being counted in a folded row. Linear in spans, and safe for any depth.
 */
export function spanTree(trace: Trace, options: SpanTreeOptions = {}): TreeRow[] {
  const { guilty = new Set<string>(), rows = Number.POSITIVE_INFINITY } = options;
  const kept = trace.spans.length <= rows ? undefined : keptSpans(trace, guilty, rows);
  const shown = shownTree(trace, kept, guilty);
  return layOut(trace, shown, { ...options, guilty });
}

interface Node {
  readonly span: Span | undefined;
  readonly children: Node[];
  /** Spans below it that are not shown, nearest to this one. */
  folded: number;
  foldedGuilty: number;
}

/** Tops of what is shown, each with what is shown below it. `kept` undefined: everything. */
function shownTree(trace: Trace, kept: ReadonlySet<string> | undefined, guilty: ReadonlySet<string>): Node {
  const top = newNode(undefined);
  const seen = new Set<string>();
  const stack: Visit[] = [...startingPoints(trace)].reverse().map((span) => ({ span, above: top }));
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { span, above } = visit;
    if (seen.has(span.spanId)) continue;
    seen.add(span.spanId);
    const here = kept === undefined || kept.has(span.spanId) ? hang(span, above) : above;
    if (here === above) fold(above, guilty.has(span.spanId));
    const children = trace.childrenOf(span.spanId);
    for (const child of [...children].reverse()) stack.push({ span: child, above: here });
  }
  return top;
}

interface Visit {
  readonly span: Span;
  readonly above: Node;
}

function hang(span: Span, above: Node): Node {
  const node = newNode(span);
  above.children.push(node);
  return node;
}

function newNode(span: Span | undefined): Node {
  return { span, children: [], folded: 0, foldedGuilty: 0 };
}

function fold(above: Node, guilty: boolean): void {
  above.folded += 1;
  if (guilty) above.foldedGuilty += 1;
}

/** Roots, orphans, the first span of each cycle; last, whatever none of them reaches. */
function* startingPoints(trace: Trace): Generator<Span> {
  yield* trace.roots;
  for (const id of [
    ...trace.orphans.map(({ spanId }) => spanId),
    ...trace.cycles.flatMap((cycle) => cycle.slice(0, 1)),
  ]) {
    const span = trace.spansById.get(id);
    if (span !== undefined) yield span;
  }
  yield* trace.spans;
}

interface Frame {
  readonly node: Node;
  readonly depth: number;
  readonly last: boolean;
}

function layOut(trace: Trace, top: Node, options: SpanTreeOptions): TreeRow[] {
  const rows: TreeRow[] = [];
  const describe = rowMaker(trace, options);
  const stack: Frame[] = framesBelow(top, -1);
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { node, depth, last } = frame;
    if (node.span === undefined) rows.push(foldedRow(trace.traceId, node, depth));
    else {
      rows.push(describe(node.span, depth, last));
      for (const below of framesBelow(node, depth)) stack.push(below);
    }
  }
  return rows;
}

/** In reverse, as a stack wants them; what is folded comes last. */
function framesBelow(node: Node, depth: number): Frame[] {
  const below = node.folded > 0 ? [...node.children, { ...node, span: undefined, children: [] }] : node.children;
  return below.map((child, i) => ({ node: child, depth: depth + 1, last: i === below.length - 1 })).reverse();
}

function foldedRow(traceId: string, { folded, foldedGuilty }: Node, depth: number): TreeRow {
  const which = foldedGuilty === 0 ? '' : `, ${foldedGuilty} of them ✗`;
  const name = `… ${folded} more ${folded === 1 ? 'span' : 'spans'}${which}`;
  return { traceId, spanId: null, depth, last: true, name, guilty: foldedGuilty > 0, notes: [] };
}

function rowMaker(
  trace: Trace,
  { guilty, durations = true, declared = {}, noteOf, stepOf }: SpanTreeOptions,
): (span: Span, depth: number, last: boolean) => TreeRow {
  const { lost } = resolvedOrphans(trace, declared);
  const orphans = new Map(lost.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]));
  const cyclic = new Set(trace.cycles.flat());
  const firstStart = trace.spans[0]?.startUnixNano ?? 0n;
  return (span, depth, last) => {
    const notes = [...factsOf(span, orphans.get(span.spanId), cyclic), ...(noteOf?.(span) ?? [])];
    const startMs = durations ? Number(span.startUnixNano - firstStart) / 1e6 : undefined;
    const durationMs = durations ? durationOf(span) : undefined;
    const step = stepOf?.(span);
    return {
      traceId: trace.traceId,
      spanId: span.spanId,
      depth,
      last,
      name: displayName(span.name) || '‹no name›',
      ...(startMs === undefined ? {} : { startMs }),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(step === undefined ? {} : { step }),
      guilty: guilty?.has(span.spanId) ?? false,
      notes,
    };
  };
}

function factsOf(span: Span, absentParent: string | undefined, cyclic: ReadonlySet<string>): string[] {
  const facts: string[] = [];
  if (span.status.code === 'error') facts.push('ERROR');
  if (span.endUnixNano === undefined) facts.push('not ended');
  if (absentParent !== undefined) facts.push(`parent ${absentParent.slice(0, 6)}… missing`);
  if (cyclic.has(span.spanId)) facts.push('in a cycle');
  return facts;
}

/** Milliseconds; `undefined` without an end, and where the end stands before the start. */
function durationOf({ startUnixNano, endUnixNano }: Span): number | undefined {
  if (endUnixNano === undefined || endUnixNano < startUnixNano) return undefined;
  return Number(endUnixNano - startUnixNano) / 1e6;
}
