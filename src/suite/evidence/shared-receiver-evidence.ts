import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectedTrace } from '../../trace/trace-set.ts';
import type { ChannelReceiver } from './channel-evidence.ts';
import type { ChannelReading, EvidenceSource } from './evidence-source.ts';

export interface SharedReceiverOptions {
  /** How long to wait for the trace of a trial to be proven whole, or to be quiet. */
  readonly deadlineMs: number;
}

const shortestPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * One receiver for the whole run, for targets that run on: they export to its fixed address, and only the trace context
 * tells trials apart.
 */
export function sharedReceiverEvidence(
  receiver: ChannelReceiver,
  { deadlineMs }: SharedReceiverOptions,
): EvidenceSource {
  return {
    kind: 'otlp',
    address: receiver.url,
    open: async ({ traceId }) => ({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
      afterClose: false,
      async collect(signal) {
        // A reading goes over all that has come, so it is not repeated at once for long.
        for (let waitedMs = 0, pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
          const reading = await readOnce(receiver, signal);
          const [own] = reading.traces.filter(({ trace }) => trace.traceId === traceId);
          if (own?.completeness.state === 'proven' || own?.facts.quiet === true) return reading;
          if (waitedMs >= deadlineMs || signal.aborted) return reading;
          await sleep(pauseMs);
          waitedMs += pauseMs;
        }
      },
      close: async () => {},
    }),
    close: () => receiver.close(),
  };
}

async function readOnce(receiver: ChannelReceiver, signal: AbortSignal): Promise<ChannelReading> {
  const collection = await receiver.collect(signal);
  const traces: CollectedTrace[] = [];
  for await (const group of collection.groups()) traces.push(...group);
  return { traces, ownChannel: false, inputs: collection.inputs() };
}
