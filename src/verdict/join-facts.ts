import { type DeclaredParents, resolvedOrphans } from '../trace/declared-parents.ts';
import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';

/** Orphans of one trace that name the same absent parent. */
export interface OrphanGroup {
  readonly parentSpanId: string;
  readonly spans: readonly Span[];
  /** The flags of the first one say that its parent is in another process. */
  readonly remote: boolean;
}

const remoteParentBit = 0x200;

/** How one trace hangs together at its top, seen beside the other traces of its run. */
export interface RootFacts {
  readonly roots: readonly Span[];
  /** Neither a root nor a declared remote parent, nor a parent in another trace of the run. */
  readonly rootless: boolean;
  /** Spans whose parent is in another trace of the run. */
  readonly elsewhere: readonly { readonly span: Span; readonly home: Trace }[];
  /** Spans whose parent is nowhere. */
  readonly lost: readonly OrphanGroup[];
  /** The trace of the run whose id was cut to this one's. */
  readonly cutFrom: Trace | undefined;
}

/** Looks up traces of one run by their spans and by the tail of their id, each index made when first asked for. */
export class TracesOfRun {
  readonly #traces: readonly Trace[];
  #bySpanId: Map<string, Trace[]> | undefined;
  #byTail: Map<string, Trace> | undefined;

  constructor(traces: readonly Trace[]) {
    this.#traces = traces;
  }

  /** Another trace that has this span. */
  otherWith(spanId: string, trace: Trace): Trace | undefined {
    if (this.#traces.length < 2) return undefined;
    this.#bySpanId ??= this.#indexSpans();
    return this.#bySpanId.get(spanId)?.find((other) => other !== trace);
  }

  /** The trace whose id ends in the 64 bits that are all there is of this one's id. */
  truncatedFrom(trace: Trace): Trace | undefined {
    const tail = trace.traceId.replace(/^0+/, '');
    if (this.#traces.length < 2 || tail.length < 8 || tail.length > 16) return undefined;
    this.#byTail ??= new Map(
      this.#traces.filter(({ traceId }) => /^(?!0{16}).{32}$/.test(traceId)).map((one) => [one.traceId.slice(16), one]),
    );
    return this.#byTail.get(tail.padStart(16, '0'));
  }

  #indexSpans(): Map<string, Trace[]> {
    const index = new Map<string, Trace[]>();
    for (const trace of this.#traces) {
      for (const spanId of trace.spansById.keys()) {
        const known = index.get(spanId);
        if (known === undefined) index.set(spanId, [trace]);
        else if (known.length < 2) known.push(trace);
      }
    }
    return index;
  }
}

export function rootFacts(trace: Trace, traces: TracesOfRun, declared: DeclaredParents): RootFacts {
  const orphans = resolvedOrphans(trace, declared);
  const undeclared = new Set(orphans.lost.map(({ spanId }) => spanId));
  const elsewhere: { span: Span; home: Trace }[] = [];
  const lost: OrphanGroup[] = [];
  for (const group of orphanGroups(trace)) {
    const home = traces.otherWith(group.parentSpanId, trace);
    if (home !== undefined) elsewhere.push(...group.spans.map((span) => ({ span, home })));
    const spans = group.spans.filter(({ spanId }) => undeclared.has(spanId));
    if (home === undefined && spans.length > 0) lost.push({ ...group, spans });
  }
  const rootless = !orphans.hasTop && elsewhere.length === 0;
  return { roots: trace.roots, rootless, elsewhere, lost, cutFrom: traces.truncatedFrom(trace) };
}

function orphanGroups(trace: Trace): readonly OrphanGroup[] {
  const groups = new Map<string, Span[]>();
  for (const { spanId, parentSpanId } of trace.orphans) {
    const span = trace.spansById.get(spanId);
    const group = groups.get(parentSpanId);
    if (span !== undefined && group === undefined) groups.set(parentSpanId, [span]);
    else if (span !== undefined) group?.push(span);
  }
  return [...groups].map(([parentSpanId, spans]) => ({
    parentSpanId,
    spans,
    remote: ((spans[0]?.flags ?? 0) & remoteParentBit) !== 0,
  }));
}

/** The spans at the top: roots, else the first orphan. */
export function topSpans(trace: Trace): readonly Span[] {
  if (trace.roots.length > 0) return trace.roots;
  const first = trace.orphans[0];
  const span = first && trace.spansById.get(first.spanId);
  return span === undefined ? trace.spans.slice(0, 1) : [span];
}

/** The distinct values of `service.name`, sorted. */
export function servicesOf(spans: readonly Span[]): readonly string[] {
  const resources = new Set(spans.map(({ resource }) => resource));
  const names = [...resources].flatMap(({ attributes }) => attributes.get('service.name') ?? []);
  return [...new Set(names.filter((name) => typeof name === 'string'))].sort();
}
