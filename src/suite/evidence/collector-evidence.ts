import type { CollectedTrace, Collector, SourceKind } from '../../trace/trace-set.ts';
import type { EvidenceSource } from './evidence-source.ts';

export interface CollectorEvidenceOptions {
  readonly kind: SourceKind;
  readonly address: string;
  /** A collector that looks for this trace, and waits for it where that takes time. */
  readonly open: (traceId: string) => Promise<Collector>;
}

/**
 * Evidence that is looked up by trace id when a trial is over: Tempo, Jaeger, files that the app writes. Others write
 * there too, so only what carries the trial's own ids is its evidence.
 */
export function collectorEvidence({ kind, address, open }: CollectorEvidenceOptions): EvidenceSource {
  return {
    kind,
    address,
    open: async ({ traceId }) => ({
      env: {},
      afterClose: false,
      async collect(signal) {
        const collector = await open(traceId);
        try {
          const collection = await collector.collect(signal);
          const traces: CollectedTrace[] = [];
          for await (const group of collection.groups()) traces.push(...group);
          return { traces, ownChannel: false, inputs: collection.inputs() };
        } finally {
          await collector.close();
        }
      },
      close: async () => {},
    }),
    close: async () => {},
  };
}
