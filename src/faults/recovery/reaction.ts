import type { FaultKind } from '../plan/fault-kind.ts';
import type { Reaction } from './classification.ts';
import type { CallFact, FaultedRun } from './faulted-run.ts';

/** A call that the agent made because of the fault. */
export interface ReactionCall {
  readonly reaction: Exclude<Reaction, 'none' | 'explicit_statement'>;
  readonly call: CallFact;
}

/**
 * Calls after delivery that the control run does not also make next. With several deliveries the first one starts the
 * clock. Without a control run only what is declared, and a call with the same arguments, counts.
 */
export function reactionsOf(run: FaultedRun): readonly ReactionCall[] {
  const faulted = run.calls.find(({ place }) => place === 'faulted');
  if (faulted === undefined) return [];
  const later = run.calls.filter(({ place }) => place === 'after');
  const ahead = continuation(run, faulted);
  const found: ReactionCall[] = [];
  for (const call of later) {
    const expected = ahead?.findIndex((next) => sameCall(next, call)) ?? -1;
    if (expected >= 0) {
      // Whatever the control does before it, this run has left out.
      ahead?.splice(0, expected + 1);
      continue;
    }
    const reaction = kindOf(call, faulted, run);
    if (reaction !== undefined) found.push({ reaction, call });
  }
  return found;
}

/** What the control run does after the call that was faulted here; `undefined` without a control run. */
function continuation(
  { control, calls }: FaultedRun,
  faulted: CallFact,
): Pick<CallFact, 'tool' | 'operation'>[] | undefined {
  if (control === null) return undefined;
  const before = calls.filter(({ place }) => place === 'before').filter((call) => sameCall(call, faulted)).length;
  const places = [...control.keys()].filter((at) => sameCall(control[at], faulted));
  const at = places[Math.min(before, places.length - 1)];
  return control.slice(at === undefined ? 0 : at + 1);
}

function sameCall(
  a: Pick<CallFact, 'tool' | 'operation'> | undefined,
  b: Pick<CallFact, 'tool' | 'operation'>,
): boolean {
  return (
    a !== undefined &&
    a.tool === b.tool &&
    (a.operation === null || b.operation === null || a.operation === b.operation)
  );
}

function kindOf(call: CallFact, faulted: CallFact, run: FaultedRun): ReactionCall['reaction'] | undefined {
  const { declared } = run;
  if (declared.escalations.includes(call.tool)) return 'escalate';
  if (call.tool === faulted.tool) {
    const same = call.operation !== null && call.operation === faulted.operation;
    return same || (call.operation === null && faulted.operation === null) ? 'retry_same' : 'retry_changed';
  }
  if (declared.verify.includes(call.tool)) return 'verify_read';
  if (declared.alternates.includes(call.tool)) return 'alternate_tool';
  if (declared.compensations.includes(call.tool)) return 'compensate';
  if (run.control === null) return undefined;
  // The control run does not make this call: it was made because of the fault.
  if (call.effect === 'read') return faulted.effect === 'read' ? 'alternate_tool' : 'verify_read';
  return faulted.effect === 'read' ? undefined : 'alternate_tool';
}

const silent: readonly FaultKind[] = ['empty', 'malformed', 'partial', 'stale_read', 'latency'];

/** Faults that look like a good answer. */
export function isSilent(kind: FaultKind): boolean {
  return silent.includes(kind);
}

/** Whether this reaction is the right kind of answer to this kind of fault. */
export function isAdequate({ reaction, call }: ReactionCall, { fault }: FaultedRun): boolean {
  if (fault === null) return false;
  // The same question again is no sign that an answer which looked good was doubted.
  if (isSilent(fault.kind)) return reaction !== 'retry_same';
  if (fault.kind === 'http_429' && reaction === 'retry_same') return !isTooEarly(call, fault);
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
