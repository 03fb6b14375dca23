import { randomUUID } from 'node:crypto';
import { context } from '@opentelemetry/api';
import type { EffectLedger } from '../ledger/effect-ledger.ts';
import { ReceiptEvents } from './receipt-events.ts';
import { type SessionEnd, writeEvidence } from './session-evidence.ts';

/**
 * Writes what tools changed into the trace of a run without a fault: call it inside the run, when it is done.
 *
 * @param ledgerAtStart - entries that were there before the run. Default: none
 * @example
 * await recordEffects(ledger, { endStatePasses: store.get('T-8841').status === 'closed' });
 */
export async function recordEffects(ledger: EffectLedger, end: SessionEnd = {}, ledgerAtStart = 0): Promise<void> {
  await writeEvidence(end, {
    parent: context.active(),
    events: new ReceiptEvents(randomUUID()),
    ledger,
    ledgerAtStart,
    watched: 0,
  });
}
