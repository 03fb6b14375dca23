import type { CollectedTrace, Collector } from '../trace/trace-set.ts';

/** Traces that share a run id come together: with the one that is wanted, all of its run. */
export async function wantedTraces(collector: Collector, traceId: string | undefined): Promise<CollectedTrace[]> {
  const traces: CollectedTrace[] = [];
  for await (const group of (await collector.collect()).groups()) {
    if (traceId === undefined || group.some(({ trace }) => trace.traceId === traceId)) traces.push(...group);
  }
  return traces;
}
