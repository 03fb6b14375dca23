import type { CollectedTrace, Collector } from '../../trace/trace-set.ts';
import type { EvidenceSource } from './evidence-source.ts';

/** A receiver that the runner itself has started. */
export interface ChannelReceiver extends Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** Takes no more; what came is whole. */
  stop(): Promise<void>;
}

/**
 * A receiver for each trial: what arrives there is of that trial, whether the target carries the trace context on or not.
 * For targets in processes of their own, which end with the trial.
 */
export function channelEvidence(listen: () => Promise<ChannelReceiver>): EvidenceSource {
  return {
    kind: 'otlp',
    address: 'a receiver for each trial',
    async open() {
      const receiver = await listen();
      return {
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
        afterClose: true,
        async collect(signal) {
          await receiver.stop();
          const collection = await receiver.collect(signal);
          const traces: CollectedTrace[] = [];
          for await (const group of collection.groups()) traces.push(...group);
          return { traces, ownChannel: true, inputs: collection.inputs() };
        },
        close: () => receiver.close(),
      };
    },
    close: async () => {},
  };
}
