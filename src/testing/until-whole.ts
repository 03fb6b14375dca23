import { setTimeout as sleep } from 'node:timers/promises';
import type { OtlpReceiver } from '../../collectors/otlp-receiver.ts';
import { completenessOf, type Expectations } from '../trace/completeness-of.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import { wantedTraces } from './wanted-traces.ts';

const pollMs = 50;

export interface ReceivedRun {
  readonly receiver: OtlpReceiver;
  readonly deadlineMs?: number;
  readonly traceId?: string | undefined;
}

/** What a receiver has of a run, once receipts prove it whole or nothing has come for as long as it waits, or at the deadline. */
export async function untilWhole(
  { receiver, deadlineMs = 30_000, traceId }: ReceivedRun,
  expected: Expectations,
): Promise<CollectedTrace[]> {
  const deadline = performance.now() + deadlineMs;
  const isWhole = ({ trace, facts }: CollectedTrace): boolean =>
    facts.ended || ['proven', 'settled'].includes(completenessOf(trace, facts, expected).state);
  let requests = -1;
  let traces: CollectedTrace[] = [];
  do {
    // Read again where something came; and now and then where nothing did, since to be quiet is a fact too.
    if (receiver.received().requests !== requests || traces.length > 0) {
      requests = receiver.received().requests;
      traces = await wantedTraces(receiver, traceId);
    }
    if (traces.length > 0 && traces.every(isWhole)) break;
    await sleep(pollMs);
  } while (performance.now() < deadline);
  return traces;
}
