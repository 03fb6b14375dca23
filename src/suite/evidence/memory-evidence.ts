import type { CollectedTrace, Collection } from '../../trace/trace-set.ts';
import type { EvidenceSource } from './evidence-source.ts';

/** The collector of `otel-eval/collectors/memory`, as far as a run needs it. */
export interface TrialMemory {
  collect(selection: { readonly traceIds: readonly string[]; readonly signal?: AbortSignal }): Promise<Collection>;
  /** Forgets traces that have been judged, so that a long run does not keep them all. */
  reset(traceIds: readonly string[]): void;
}

/** Evidence from this process: spans of a function target, by the trace id of its trial. */
export function memoryEvidence(memory: TrialMemory): EvidenceSource {
  return {
    kind: 'memory',
    address: 'this process',
    open: async ({ traceId }) => ({
      env: {},
      afterClose: false,
      async collect(signal) {
        const collection = await memory.collect({ traceIds: [traceId], signal });
        const traces: CollectedTrace[] = [];
        for await (const group of collection.groups()) traces.push(...group);
        return { traces, ownChannel: false, inputs: collection.inputs() };
      },
      close: async () => memory.reset([traceId]),
    }),
    close: async () => {},
  };
}
