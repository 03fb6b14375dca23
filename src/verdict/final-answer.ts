import type { Message, ModelCall } from '../agent/run.ts';
import type { View } from './assertion.ts';
import { isHeap, runsNotToldApart } from './boundary.ts';
import { cutBehindAnswer } from './cut-evidence.ts';
import { undecidedAbsence } from './sight.ts';
import type { MissingEvidence } from './verdict.ts';

/** The text with which a run ends, for comparing: never shown. */
export interface FinalAnswer {
  readonly call: ModelCall;
  /** Empty where the last model call gave no text, but asked for a tool. */
  readonly text: string;
}

export interface AnswerReading {
  readonly answer: FinalAnswer | undefined;
  /** What is missing before the answer may be called the last one and be read. */
  readonly missing: readonly MissingEvidence[];
}

/** The output text of the last model call of the run's own agent (of a call without an agent's name, likewise). */
export function finalAnswerOf(view: View): AnswerReading {
  const { run } = view;
  if (isHeap(run)) return { answer: undefined, missing: [runsNotToldApart(run)] };
  const own = run.modelCalls.filter(({ agent }) => agent === null || run.agent === null || agent === run.agent);
  const call = own.at(-1);
  const lacking = undecidedAbsence(view, ['modelCalls', 'failedModelCalls']);
  if (call === undefined) {
    const message = 'the run has no model call, so no answer was looked at';
    return { answer: undefined, missing: [{ kind: 'nothing-examined', message }, ...lacking] };
  }
  const messages = call.outputMessages();
  if (messages === undefined || !holdsContent(messages)) {
    return { answer: undefined, missing: [contentNotCaptured, ...lacking] };
  }
  const texts = messages.map(({ text }) => text);
  const cut = cutBehindAnswer(view, call, texts);
  return { answer: { call, text: texts.join('\n') }, missing: [...lacking, ...cut] };
}

/** With content left out, many still write roles and names of tools: that no text is there then says nothing. */
function holdsContent(messages: readonly Message[]): boolean {
  return messages.some(({ text, toolCalls }) => text !== '' || toolCalls.some((call) => call.arguments !== undefined));
}

const contentNotCaptured: MissingEvidence = {
  kind: 'content',
  message: 'content not captured: the answer of the last model call is not in the trace; content mode would keep it',
};
