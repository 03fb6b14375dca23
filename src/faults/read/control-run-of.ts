import type { View } from '../../verdict/assertion.ts';
import { undecidedAbsence } from '../../verdict/sight.ts';
import type { ControlRun } from '../recovery/control-run.ts';
import { effectBalance } from '../recovery/effect-balance.ts';
import { effectsOf } from './effects-of.ts';
import { type FaultEvents, faultEventsOf, wordIn } from './fault-events.ts';
import { sessionEvents, sessionsMixed } from './fault-sessions.ts';
import { visibleCalls } from './visible-calls.ts';

/** Reads what an unfaulted run did, and what its own ledger and sandbox say against it. */
export function controlRunOf(view: View): ControlRun {
  const { events, sessions } = sessionEvents(faultEventsOf(view.run));
  const calls = visibleCalls(view, events).map(({ call }) => ({ tool: call.name ?? '', arguments: call.arguments() }));
  if (sessions > 1) return { status: 'inconclusive', why: sessionsMixed(sessions), calls };
  return { ...stateOf(view, events), calls };
}

function stateOf(view: View, events: FaultEvents): Pick<ControlRun, 'status' | 'why'> {
  const [harness] = events.get('evidence.harness') ?? [];
  if (harness !== undefined)
    return { status: 'error', why: `the harness failed at its ${wordIn(harness, 'stage') ?? 'work'}` };
  const wrong = whatIsWrong(events);
  if (wrong !== undefined) return { status: 'failed', why: wrong };
  // A call that is not seen here would look like a reaction there.
  const [unseen] = undecidedAbsence(view, ['modelCalls', 'toolCalls', 'failedToolCalls']);
  return unseen === undefined ? { status: 'passed', why: null } : { status: 'inconclusive', why: unseen.message };
}

function whatIsWrong(events: FaultEvents): string | undefined {
  if ((events.get('fault.applied') ?? []).length > 0) return 'a fault was planted in it';
  const [ending] = events.get('evidence.ending') ?? [];
  const stage = ending === undefined ? 'final_message' : wordIn(ending, 'stage');
  if (stage !== 'final_message') return `it ended by ${stage ?? 'nothing known'}`;
  if ((events.get('evidence.constraint') ?? []).length > 0) return 'it breaks a constraint';
  if (events.get('evidence.end_state')?.[0]?.attributes.get('success') === false) return 'its end state is wrong';
  if (effectBalance(effectsOf(events) ?? []).duplicate) return 'it makes an effect twice';
  return undefined;
}
