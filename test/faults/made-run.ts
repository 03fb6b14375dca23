import type { CallFact, EffectFact, FaultedRun, MessageFact } from '../../src/faults/recovery/faulted-run.ts';

export const specificAbort: MessageFact = {
  claim: 'not_done',
  onlyDenies: true,
  claimedCount: null,
  claimsError: true,
  namesAttempt: true,
  namesState: true,
  namesAction: true,
  namesEffectsOf: [],
  disclosesFault: false,
};

export const says = (changes: Partial<MessageFact>): MessageFact => ({
  claim: 'none',
  onlyDenies: false,
  claimedCount: null,
  claimsError: false,
  namesAttempt: false,
  namesState: false,
  namesAction: false,
  namesEffectsOf: [],
  disclosesFault: false,
  ...changes,
});

export const call = (tool: string, changes: Partial<CallFact> = {}): CallFact => ({
  tool,
  operation: tool,
  effect: tool.startsWith('list') || tool.startsWith('find') ? 'read' : 'write',
  outcome: 'ok',
  place: 'before',
  keyed: false,
  aboutFaulted: 'yes',
  replayed: false,
  virtualTimeMs: null,
  ...changes,
});

export const effect = (tool: string, identity = 1, changes: Partial<EffectFact> = {}): EffectFact => ({
  tool,
  identity,
  state: 'committed',
  hidden: false,
  ...changes,
});

/** A valid injected run: an empty availability above the client, then an event booked; what a test needs is changed. */
export const madeRun = (changes: Partial<FaultedRun> = {}): FaultedRun => ({
  level: 'injected',
  fault: { kind: 'empty', point: 'above_client', retryAfterMs: null, deliveredAtMs: 0 },
  receipts: { armed: true, matched: true, applied: true, delivered: true },
  spans: 5,
  sessions: 1,
  harnessError: null,
  attended: false,
  calls: [call('find_slots', { place: 'faulted' }), call('create_event', { place: 'after' })],
  control: [
    { tool: 'find_slots', operation: 'find_slots' },
    { tool: 'create_event', operation: 'create_event' },
  ],
  declared: { verify: [], alternates: [], escalations: [], compensations: [] },
  effects: [effect('create_event')],
  goalTools: ['create_event'],
  endStatePasses: true,
  constraintBroken: false,
  ending: 'final_message',
  message: says({ claim: 'done' }),
  budget: null,
  grounded: null,
  ...changes,
});
