import { buildTrace } from '../src/trace/build-trace.ts';
import type { SourceFacts } from '../src/trace/completeness.ts';
import { completenessOf } from '../src/trace/completeness-of.ts';
import { decodeOtlpObject } from '../src/trace/otlp-json.ts';
import { RunGroups } from '../src/trace/run-groups.ts';
import type { Span } from '../src/trace/span.ts';
import type { CollectedTrace, Collection, Collector, InputProblem } from '../src/trace/trace-set.ts';
import { keyValues, otlpOfSdkScope, otlpOfSdkSpan } from './memory/otlp-of-sdk-span.ts';
import type { SdkResource, SdkScope, SdkSpan, SdkSpanExporter, SdkSpanProcessor } from './memory/sdk-span.ts';

export interface MemorySelection {
  /** Only these traces; all without it. Tests that run side by side each take their own. */
  readonly traceIds?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface MemoryCollector extends Collector {
  /** Takes spans behind a processor of the SDK. It knows only spans that ended. */
  readonly exporter: SdkSpanExporter;
  /** Takes spans as they end, and knows those that are still open. Give it or the exporter to the SDK, not both. */
  readonly processor: SdkSpanProcessor;
  collect(selection?: MemorySelection | AbortSignal): Promise<Collection>;
  /** Ids of spans that have started and not ended, by trace id. Known to the processor only. */
  open(): ReadonlyMap<string, readonly string[]>;
  /** Forgets these traces, or all. */
  reset(traceIds?: readonly string[]): void;
}

/**
 * Traces of this process, read exactly as if they had gone out as OTLP and been read again. Only sampled spans are kept,
 * as only those leave a process. A span that is still open when it is collected stands in its trace without an end.
 *
 * @example
 * const memory = memoryCollector();
 * const provider = new NodeTracerProvider({ spanProcessors: [memory.processor] });
 * …
 * const collection = await memory.collect({ traceIds: [traceId] });
 * for await (const [collected] of collection.groups()) console.log(collected?.trace.spans.length);
 */
export function memoryCollector(): MemoryCollector {
  const store = new SpanStore();
  const settle = async (): Promise<void> => {};
  return {
    exporter: {
      export(spans, done) {
        for (const span of spans) store.ended(span);
        done({ code: 0 });
      },
      forceFlush: settle,
      shutdown: settle,
    },
    processor: {
      onStart: (span) => store.started(span),
      onEnd: (span) => store.ended(span),
      forceFlush: settle,
      shutdown: settle,
    },
    collect: (selection) => store.collect(selection instanceof AbortSignal ? { signal: selection } : (selection ?? {})),
    open: () => store.open(),
    reset: (traceIds) => store.reset(traceIds),
    close: async () => store.reset(),
  };
}

interface StoredTrace {
  readonly ended: SdkSpan[];
  readonly open: Map<string, SdkSpan>;
}

class SpanStore {
  readonly #traces = new Map<string, StoredTrace>();

  started(span: SdkSpan): void {
    const { spanId, traceFlags } = span.spanContext();
    if ((traceFlags & 1) === 1) this.#traceOf(span).open.set(spanId, span);
  }

  ended(span: SdkSpan): void {
    const { spanId, traceFlags } = span.spanContext();
    if ((traceFlags & 1) === 0) return;
    const trace = this.#traceOf(span);
    trace.open.delete(spanId);
    trace.ended.push(span);
  }

  #traceOf(span: SdkSpan): StoredTrace {
    const { traceId } = span.spanContext();
    let trace = this.#traces.get(traceId);
    if (trace === undefined) {
      trace = { ended: [], open: new Map() };
      this.#traces.set(traceId, trace);
    }
    return trace;
  }

  open(): Map<string, string[]> {
    const open = [...this.#traces].map(([traceId, trace]): [string, string[]] => [traceId, [...trace.open.keys()]]);
    return new Map(open.filter(([, spanIds]) => spanIds.length > 0));
  }

  reset(traceIds: Iterable<string> = [...this.#traces.keys()]): void {
    for (const traceId of traceIds) this.#traces.delete(traceId);
  }

  async collect({ traceIds, signal }: MemorySelection): Promise<Collection> {
    const chosen = traceIds ?? [...this.#traces.keys()];
    const stored = chosen.flatMap((traceId) => this.#traces.get(traceId) ?? []);
    await resourcesComplete(stored, signal);
    const problems: InputProblem[] = [];
    const runs = new RunGroups();
    const traces = new Map<string, CollectedTrace>();
    for (const { ended, open } of stored) {
      const batch = decodeOtlpObject(documentOf([...ended, ...open.values()]), { source: 'memory' });
      problems.push(...batch.problems);
      for (const span of batch.spans) runs.note(span);
      const [first] = batch.spans;
      if (first !== undefined) traces.set(first.traceId, collected(first.traceId, batch.spans, open.size === 0));
    }
    return collectionOf(traces, runs, problems);
  }
}

/** A resource may still be looking for attributes (of a cloud, a host); the SDK's exporters wait for them too. */
async function resourcesComplete(stored: readonly StoredTrace[], signal: AbortSignal | undefined): Promise<void> {
  const spans = stored.flatMap(({ ended, open }) => [...ended, ...open.values()]);
  const resources = new Set(spans.map((span) => span.resource));
  for (const resource of resources) {
    signal?.throwIfAborted();
    if (resource.asyncAttributesPending) await resource.waitForAsyncAttributes?.();
  }
}

/** In the order in which the spans ended; neighbours of one resource and scope stand together. */
function documentOf(spans: readonly SdkSpan[]): object {
  const resourceSpans: object[] = [];
  let [resource, scope]: [SdkResource?, SdkScope?] = [];
  let together: object[] = [];
  for (const span of spans) {
    const itsScope = span.instrumentationScope ?? span.instrumentationLibrary ?? noScope;
    if (span.resource !== resource || itsScope !== scope) {
      [resource, scope, together] = [span.resource, itsScope, []];
      const scopeSpans = [{ scope: otlpOfSdkScope(itsScope), spans: together }];
      resourceSpans.push({ resource: { attributes: keyValues(span.resource.attributes) }, scopeSpans });
    }
    together.push(otlpOfSdkSpan(span));
  }
  return { resourceSpans };
}

const noScope: SdkScope = { name: '' };

function collected(traceId: string, rows: readonly Span[], ended: boolean): CollectedTrace {
  const trace = buildTrace(traceId, rows);
  const facts: SourceFacts = { remote: false, ended, quiet: ended, cut: false, losses: [] };
  return { trace, facts, completeness: completenessOf(trace, facts) };
}

function collectionOf(
  traces: ReadonlyMap<string, CollectedTrace>,
  runs: RunGroups,
  problems: readonly InputProblem[],
): Collection {
  const all = [...traces.values()];
  const rows = all.reduce((sum, { trace }) => sum + trace.rows, 0);
  const spans = all.reduce((sum, { trace }) => sum + trace.spans.length, 0);
  return {
    source: { kind: 'memory', address: 'memory' },
    async *groups() {
      for (const group of runs.split(traces.keys())) yield group.flatMap((traceId) => traces.get(traceId) ?? []);
    },
    inputs: () => [{ input: 'memory', format: 'sdk-spans', rows, spans, problems }],
    looseLogs: () => [],
  };
}
