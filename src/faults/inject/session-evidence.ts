import { type Context, type Span, trace } from '@opentelemetry/api';
import { present } from '../../instrument/content-text.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { EffectLedger, LedgerEntry } from '../ledger/effect-ledger.ts';
import type { ReceiptEvents } from './receipt-events.ts';

/** How a trial ended, as the harness knows it. */
export interface SessionEnd {
  /** Waits until background work is done; a rejection is the harness's failure, not the agent's. */
  readonly drain?: (() => Promise<void>) | undefined;
  /** The sandbox's own check of the end state; absent: nobody checked. */
  readonly endStatePasses?: boolean | undefined;
  /** Default: it ended with a final message. */
  readonly ending?: 'final_message' | 'loop_guard' | 'crash' | 'timeout' | undefined;
  readonly constraintBroken?: boolean | undefined;
  /** What of the harness failed before: resetting the sandbox, say. */
  readonly harnessFailure?: 'reset' | 'sandbox' | undefined;
}

export interface EvidenceGround {
  readonly parent: Context;
  readonly events: ReceiptEvents;
  readonly ledger: EffectLedger;
  /** Entries that were there before the run. */
  readonly ledgerAtStart: number;
  /** Model requests that were looked at. */
  readonly watched: number;
}

/** The scope of spans that the harness writes; no instrumentation of an agent. */
export const harnessScope = 'otel-eval/faults';

const evidence = (name: string): string => `${ownAttributes.evidencePrefix}${name}`;

/** Drains, and writes ledger, snapshots and outcome on a span of the harness. */
export async function writeEvidence(end: SessionEnd, ground: EvidenceGround): Promise<void> {
  const failure = end.harnessFailure ?? (await drained(end, ground.ledger));
  const { events, ledger, ledgerAtStart, watched } = ground;
  const entries = ledger.entries.slice(ledgerAtStart);
  if (failure !== undefined) events.keep(evidence('harness'), { stage: failure });
  events.keep(evidence('delivery'), { 'record.count': watched });
  events.keep(evidence('snapshot'), { stage: 'before', 'record.count': ledgerAtStart });
  events.keep(evidence('snapshot'), { stage: 'after', 'record.count': ledger.entries.length });
  events.keep(evidence('ending'), { stage: end.ending ?? 'final_message' });
  if (end.endStatePasses !== undefined) events.keep(evidence('end_state'), { success: end.endStatePasses });
  if (end.constraintBroken === true) events.keep(evidence('constraint'), { stage: 'broken' });
  const tracer = trace.getTracer(harnessScope);
  const span = tracer.startSpan('otel_eval ledger', {}, ground.parent);
  const below = trace.setSpan(ground.parent, span);
  events.flushTo(span);
  const numbered = entries.map((entry, at) => ({ entry, at }));
  for (const { entry, at } of numbered.filter((each) => each.entry.hidden)) hiddenSpan(events, entry, at, below);
  const told = numbered.filter((each) => !each.entry.hidden);
  for (let from = 0; from < told.length; from += mostOnOneSpan) {
    const page = tracer.startSpan('otel_eval effects', {}, below);
    for (const { entry, at } of told.slice(from, from + mostOnOneSpan)) writeEffect(events, page, entry, at);
    page.end();
  }
  span.end();
}

/** SDKs drop events beyond the 128th of a span. */
const mostOnOneSpan = 100;

/** A write that the agent was not told of stands on a span of its own, linked to the call that it was hidden from. */
function hiddenSpan(events: ReceiptEvents, entry: LedgerEntry, at: number, parent: Context): void {
  const links = entry.toldIn === undefined ? [] : [{ context: entry.toldIn }];
  const span = trace.getTracer(harnessScope).startSpan('otel_eval hidden write', { links }, parent);
  writeEffect(events, span, entry, at);
  span.end();
}

function writeEffect(events: ReceiptEvents, span: Span, entry: LedgerEntry, at: number): void {
  const { tool, identity, state, hidden, calls } = entry;
  const attributes = present({
    index: at,
    'gen_ai.tool.name': tool,
    identity,
    state,
    calls,
    kind: hidden ? 'hidden' : 'told',
  });
  events.writeTo(span, evidence('effect'), attributes);
}

/** Two equal snapshots in a row after the drain: nothing is still under way. */
async function drained({ drain }: SessionEnd, ledger: EffectLedger): Promise<'drain' | undefined> {
  try {
    await drain?.();
    const first = ledger.entries.length;
    await new Promise((resolve) => setImmediate(resolve));
    return ledger.entries.length === first ? undefined : 'drain';
  } catch {
    return 'drain';
  }
}
