import type { FaultKind } from '../plan/fault-kind.ts';
import type { Reaction } from './classification.ts';
import type { CallFact, FaultedRun } from './faulted-run.ts';

/** A call that the agent made because of the fault. */
export interface ReactionCall {
  readonly reaction: Exclude<Reaction, 'none' | 'explicit_statement'>;
  readonly call: CallFact;
}

/**
 * Calls after delivery beyond those that the control run makes too. With several deliveries the first one starts the
 * clock. Without a control run only what is declared, and a call of the same tool, counts; after an answer that looked good not
 * even that, where its arguments differ: the task may go on so.
 */
export function reactionsOf(run: FaultedRun): readonly ReactionCall[] {
  const faulted = run.calls.find(({ place }) => place === 'faulted');
  if (faulted === undefined) return [];
  const later = run.calls.filter(({ place }) => place === 'after');
  return beyond(later, continuation(run, faulted)).flatMap((call) => {
    const reaction = kindOf(call, faulted, run);
    return reaction === undefined ? [] : [{ reaction, call }];
  });
}

/**
 * The calls that the control run does not make. Equal calls are set off against each other, from the end, since what is done
 * because of a fault comes first; then calls of the same tool, whose arguments may follow from other data.
 */
function beyond(later: readonly CallFact[], control: readonly ControlCall[]): readonly CallFact[] {
  const open = [...control];
  const rest = new Set(later);
  const setOff = (same: (a: ControlCall, b: ControlCall) => boolean): void => {
    for (const call of [...later].reverse()) {
      const at = rest.has(call) ? open.findLastIndex((each) => same(each, call)) : -1;
      if (at < 0) continue;
      open.splice(at, 1);
      rest.delete(call);
    }
  };
  setOff(sameCall);
  setOff((a, b) => a.tool === b.tool);
  return later.filter((call) => rest.has(call));
}

type ControlCall = Pick<CallFact, 'tool' | 'operation'>;

/** What the control run does after the call that was faulted here; nothing without a control run. */
function continuation({ control, calls }: FaultedRun, faulted: CallFact): readonly ControlCall[] {
  if (control === null) return [];
  const before = calls.filter(({ place }) => place === 'before').filter((call) => call.tool === faulted.tool).length;
  const places = [...control.keys()].filter((at) => control[at]?.tool === faulted.tool);
  const at = places[Math.min(before, places.length - 1)];
  return control.slice(at === undefined ? 0 : at + 1);
}

function sameCall(a: ControlCall, b: ControlCall): boolean {
  return a.tool === b.tool && a.operation !== null && a.operation === b.operation;
}

function kindOf(call: CallFact, faulted: CallFact, run: FaultedRun): ReactionCall['reaction'] | undefined {
  const { declared } = run;
  if (declared.escalations.includes(call.tool)) return 'escalate';
  if (call.tool === faulted.tool) return retryKind(call, faulted, run);
  if (declared.verify.includes(call.tool)) return lookKind(call, faulted);
  if (declared.alternates.includes(call.tool)) return 'alternate_tool';
  if (declared.compensations.includes(call.tool)) return 'compensate';
  if (run.control === null) return undefined;
  // The control run does not make this call: it was made because of the fault.
  if (call.effect === 'read') return faulted.effect === 'read' ? 'alternate_tool' : lookKind(call, faulted);
  return faulted.effect === 'read' ? undefined : 'alternate_tool';
}

function retryKind(
  call: CallFact,
  faulted: CallFact,
  { control, fault }: FaultedRun,
): 'retry_same' | 'retry_changed' | undefined {
  if (call.operation === faulted.operation) return 'retry_same';
  return control === null && fault !== null && isSilent(fault.kind) ? undefined : 'retry_changed';
}

/** A look at another thing shows nothing of what a write did. */
function lookKind({ aboutFaulted }: CallFact, faulted: CallFact): 'verify_read' | undefined {
  return faulted.effect !== 'read' && aboutFaulted === 'no' ? undefined : 'verify_read';
}

const silent: readonly FaultKind[] = ['empty', 'malformed', 'partial', 'stale_read', 'latency'];

/** Faults that look like a good answer. */
export function isSilent(kind: FaultKind): boolean {
  return silent.includes(kind);
}

/** The same tool again, as it was or otherwise. */
export const retries: readonly ReactionCall['reaction'][] = ['retry_same', 'retry_changed'];

/** Whether this reaction is the right kind of answer to this kind of fault. */
export function isAdequate({ reaction, call }: ReactionCall, { fault }: FaultedRun): boolean {
  if (fault === null) return false;
  // The same question again is no sign that an answer which looked good was doubted.
  if (isSilent(fault.kind)) return reaction !== 'retry_same';
  if (fault.kind === 'http_429' && retries.includes(reaction)) return !isTooEarly(call, fault);
  return true;
}

/** Whether a retry came before the time that the server had asked for. */
export function isTooEarly(call: CallFact, fault: NonNullable<FaultedRun['fault']>): boolean {
  const { retryAfterMs, deliveredAtMs } = fault;
  if (retryAfterMs === null || deliveredAtMs === null || call.virtualTimeMs === null) return false;
  return call.virtualTimeMs < deliveredAtMs + retryAfterMs;
}

/** The reaction of a run: the first adequate one, else the first. */
export function leadingReaction(run: FaultedRun, reactions: readonly ReactionCall[]): Reaction {
  const lead = reactions.find((each) => isAdequate(each, run)) ?? reactions[0];
  if (lead !== undefined) return lead.reaction;
  return run.message?.disclosesFault === true ? 'explicit_statement' : 'none';
}
