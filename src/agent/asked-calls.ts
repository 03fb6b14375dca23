import { canonicalJson } from '../trace/canonical-json.ts';
import { unlessBroken } from './cut-content.ts';
import { grouped } from './grouped.ts';
import type { LayeredModelCall } from './model-calls.ts';
import type { Json, Message } from './run.ts';

/** A tool call that a model asked for, as a message tells it. */
export interface AskedCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments: Json | undefined;
  readonly by: LayeredModelCall;
  /** Span whose messages tell of it. */
  readonly toldBy: string;
  answer: AskedAnswer | undefined;
}

export interface AskedAnswer {
  readonly result: Json | undefined;
  readonly failed: boolean | undefined;
  readonly toldBy: string;
}

/** Model calls that share one history: those of one agent layer, or of a run without one. */
export type Thread = readonly LayeredModelCall[];

export function threadsOf(models: readonly LayeredModelCall[]): readonly Thread[] {
  return [...grouped(models, ({ agentLayer }) => agentLayer ?? null).values()];
}

/**
 * What the models of a thread asked for, in order. Read from the answers of the models; where an answer is not in the
 * trace, from what the next call's history holds beyond what is known.
 */
export function askedIn(thread: Thread): readonly AskedCall[] {
  const asked: AskedCall[] = [];
  let unseen: LayeredModelCall | undefined;
  for (const model of thread) {
    if (unseen !== undefined) asked.push(...newInHistory(model, unseen, asked));
    if (!model.mayAsk) {
      unseen = undefined;
      continue;
    }
    const answer = model.outputMessages();
    unseen = answer === undefined ? model : undefined;
    asked.push(...callsOf(answer ?? [], model, model));
  }
  return asked;
}

function callsOf(messages: readonly Message[], by: LayeredModelCall, told: LayeredModelCall): AskedCall[] {
  const toldBy = told.layers.at(-1)?.span.spanId ?? '';
  // What the provider ran itself is answered in the same breath.
  const answers = new Map<string, AskedAnswer>();
  for (const { id, result, failed } of by === told ? messages.flatMap(({ toolResults }) => toolResults) : []) {
    if (id !== null) answers.set(id, { result: unlessBroken(result), failed, toldBy });
  }
  return messages
    .flatMap(({ toolCalls }) => toolCalls)
    .map((call) => ({
      ...call,
      arguments: unlessBroken(call.arguments),
      by,
      toldBy,
      answer: call.id === null ? undefined : answers.get(call.id),
    }));
}

function newInHistory(told: LayeredModelCall, by: LayeredModelCall, known: readonly AskedCall[]): AskedCall[] {
  const left = new Map<string, number>();
  for (const call of known) left.set(identity(call), (left.get(identity(call)) ?? 0) + 1);
  return callsOf(told.inputMessages() ?? [], by, told).filter((call) => {
    const times = left.get(identity(call)) ?? 0;
    left.set(identity(call), times - 1);
    return times <= 0;
  });
}

function identity({ id, name, arguments: given }: AskedCall): string {
  return id ?? `${name} ${given === undefined ? '' : canonicalJson(given)}`;
}

/** Finds the answers to the given calls in the histories of the model calls after them. */
export function findAnswers(open: readonly AskedCall[], thread: Thread): void {
  let waiting = open.filter(({ answer }) => answer === undefined);
  for (const model of thread) {
    if (waiting.length === 0) return;
    const due = waiting.filter(({ by }) => by.position < model.position);
    if (due.length === 0) continue;
    answerFrom(model, due);
    waiting = waiting.filter(({ answer }) => answer === undefined);
  }
}

function answerFrom(model: LayeredModelCall, due: readonly AskedCall[]): void {
  const toldBy = model.layers.at(-1)?.span.spanId ?? '';
  const messages = model.inputMessages() ?? [];
  const byId = new Map<string, AskedAnswer>();
  for (const { id, result, failed } of messages.flatMap(({ toolResults }) => toolResults)) {
    if (id !== null) byId.set(id, { result: unlessBroken(result), failed, toldBy });
  }
  for (const call of due) if (call.id !== null) call.answer = byId.get(call.id);
  const nameless = due.filter(({ id, answer }) => id === null && answer === undefined);
  if (nameless.length > 0) answerInOrder(messages, nameless, toldBy);
}

/** Without ids the answers after a turn stand in the order of its calls; counted only where the numbers agree. */
function answerInOrder(messages: readonly Message[], due: readonly AskedCall[], toldBy: string): void {
  const last = messages.findLastIndex(({ toolCalls }) => toolCalls.length > 0);
  const answers: readonly Pick<AskedAnswer, 'result' | 'failed'>[] = messages
    .slice(last + 1)
    .flatMap<Pick<AskedAnswer, 'result' | 'failed'>>((message) =>
      message.toolResults.length > 0 ? message.toolResults : message.role === 'tool' ? [loose(message)] : [],
    );
  if (last < 0 || answers.length !== due.length || messages[last]?.toolCalls.length !== due.length) return;
  due.forEach((call, i) => {
    const answer = answers[i];
    if (answer !== undefined) call.answer = { result: unlessBroken(answer.result), failed: answer.failed, toldBy };
  });
}

function loose({ text }: Message): Pick<AskedAnswer, 'result' | 'failed'> {
  return { result: text, failed: undefined };
}
