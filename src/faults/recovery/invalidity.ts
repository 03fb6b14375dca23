import { sessionsMixed } from '../read/fault-sessions.ts';
import type { Invalidity } from './classification.ts';
import type { FaultedRun } from './faulted-run.ts';

export interface Invalid {
  readonly status: Invalidity;
  /** One clause, no content. */
  readonly why: string;
}

/** Why a run says nothing of recovery; `undefined` for a valid one. First match wins. */
export function invalidityOf(run: FaultedRun): Invalid | undefined {
  if (run.spans === 0) return { status: 'harness_error', why: 'the run left no span' };
  if (run.sessions > 1) return { status: 'missing', why: sessionsMixed(run.sessions) };
  if (run.harnessError !== null) return { status: 'harness_error', why: run.harnessError };
  const unapplied = run.level === 'injected' ? notApplied(run) : notObserved(run);
  if (unapplied !== undefined) return unapplied;
  if (run.attended === true) return { status: 'attended', why: 'a person took part after the start' };
  return undefined;
}

function notApplied({ receipts, fault, effects, ending, calls }: FaultedRun): Invalid | undefined {
  if (!receipts.armed) return { status: 'missing', why: 'no receipt says that the plan was armed' };
  if (!receipts.matched)
    return { status: 'not_exercised', why: 'no call matched the row: tool, arguments or occurrence' };
  if (!receipts.applied)
    return { status: 'inapplicable', why: 'a call matched, and the fault could not be made of it' };
  // Which answers are adequate depends on the kind.
  if (fault === null) return { status: 'missing', why: 'the receipts name a kind of fault that is not known' };
  const reached = receipts.delivered === true || (endedOnIt(ending) && fault.point === 'above_client');
  if (!reached && receipts.delivered === false) {
    return { status: 'absorbed', why: 'no result that the model was sent carried the fault' };
  }
  if (!reached)
    return { status: 'missing', why: 'nothing tells whether the fault reached the model: a delivered receipt would' };
  if (effects === null)
    return { status: 'missing', why: 'the ledger of effects is not in the trace, or not all of it' };
  if (calls.every(({ place }) => place !== 'faulted')) {
    return { status: 'missing', why: 'the call that was faulted is not in the trace' };
  }
  return undefined;
}

/** The run broke on the fault, so that no further request could carry it. */
function endedOnIt(ending: FaultedRun['ending']): boolean {
  return ending === 'crash' || ending === 'timeout';
}

function notObserved({ calls, message }: FaultedRun): Invalid | undefined {
  if (calls.some(({ place }) => place === 'faulted')) return undefined;
  // An error that nobody saw and the message tells of is judged: it was invented.
  if (message?.claimsError === true) return undefined;
  return { status: 'not_exercised', why: 'no call failed' };
}
