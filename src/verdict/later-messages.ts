import type { ModelCall, Run } from '../agent/run.ts';
import type { MissingEvidence } from './verdict.ts';
import { counted } from './wording.ts';

/** Messages with the role of the user that came in after the first model call of an agent: from a person, or not. */
export function laterMessages({ modelCalls }: Run): readonly MissingEvidence[] {
  const callsByAgent = new Map<string | null, ModelCall[]>();
  for (const call of modelCalls) callsByAgent.set(call.agent, [...(callsByAgent.get(call.agent) ?? []), call]);
  const grown = [...callsByAgent.values()].some((calls) => userMessages(calls.at(-1)) > userMessages(calls[0]));
  const message =
    'a message with the role user came in after the start, and the trace does not tell whether a person wrote it; a human-input span would tell';
  return grown ? [{ kind: 'visibility', message }] : [];
}

/** A person may have spoken in what a later model call was sent, where that is not in the trace. */
export function unreadMessages({ modelCalls, visibility }: Run): readonly MissingEvidence[] {
  // Where content is not shown at all, that is said once.
  if (visibility.content !== 'shown') return [];
  const first = modelCalls[0];
  const unread = modelCalls.filter((call) => call !== first && call.inputMessages() === undefined).length;
  if (unread === 0) return [];
  const message = `what ${counted(unread, 'later model call')} ${unread === 1 ? 'was' : 'were'} sent is not in the trace; content mode would show whether a person spoke`;
  return [{ kind: 'content', message }];
}

function userMessages(call: ModelCall | undefined): number {
  return (call?.inputMessages() ?? []).filter(({ role, text }) => role === 'user' && text !== '').length;
}
