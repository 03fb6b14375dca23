import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectedTrace, Collector } from '../../trace/trace-set.ts';
import type { ChannelReceiver } from './channel-evidence.ts';
import type { ChannelReading, EvidenceSource } from './evidence-source.ts';

/** A receiver that tells what comes from one moment on. */
export interface SharedReceiver extends ChannelReceiver {
  follow(): Pick<Collector, 'collect'>;
}

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
  receiver: SharedReceiver,
  { deadlineMs }: SharedReceiverOptions,
): EvidenceSource {
  return {
    kind: 'otlp',
    address: receiver.url,
    open: async ({ traceId }) => {
      // The trace id is new: nothing of this trial has come before.
      const followed = receiver.follow();
      return {
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
        afterClose: false,
        async collect(signal) {
          for (let waitedMs = 0, pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
            const reading = await readOnce(followed, signal);
            const [own] = reading.traces.filter(({ trace }) => trace.traceId === traceId);
            if (own?.completeness.state === 'proven' || own?.facts.quiet === true) return reading;
            if (waitedMs >= deadlineMs || signal.aborted) return reading;
            await sleep(pauseMs);
            waitedMs += pauseMs;
          }
        },
        close: async () => {},
      };
    },
    close: () => receiver.close(),
  };
}

async function readOnce(followed: Pick<Collector, 'collect'>, signal: AbortSignal): Promise<ChannelReading> {
  const collection = await followed.collect(signal);
  const traces: CollectedTrace[] = [];
  for await (const group of collection.groups()) traces.push(...group);
  return { traces, ownChannel: false, inputs: collection.inputs() };
}
