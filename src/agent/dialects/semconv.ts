import { isObject } from '../content.ts';
import { semconvCost } from '../cost.ts';
import type { Facts, LayerKind } from '../dialect.ts';
import { documents } from '../documents.ts';
import { messagesOf } from '../messages/messages.ts';
import { cheap, content, firstOf, firstWord, nameAfter, type Reader, text, through, usage } from '../reading.ts';
import type { HumanInputKind, Json, Message, Usage } from '../run.ts';
import { flattenedMessages } from './flattened-messages.ts';
import { loggedAnswer, loggedDetail, loggedFinish, loggedHistory } from './log-messages.ts';
import { eventContent, eventDetail, eventHistory, eventMessages, eventWord } from './span-events.ts';

// Facts of the OTel GenAI conventions. Most dialects write some of these keys beside their own.

const kinds: ReadonlyMap<string, LayerKind> = new Map([
  ['chat', 'model'],
  ['generate_content', 'model'],
  ['text_completion', 'model'],
  ['invoke_agent', 'agent'],
  ['invoke_workflow', 'agent'],
  ['create_agent', 'other'],
  ['execute_tool', 'tool'],
  ['retrieval', 'retrieval'],
  ['embeddings', 'other'],
  ['rerank', 'other'],
  ['plan', 'other'],
  ['guardrail', 'guardrail'],
  ['apply_guardrail', 'guardrail'],
  ['agent_step', 'other'],
  ['agent_handoff', 'handoff'],
  // Of our own helper; the conventions have no name for it.
  ['human_input', 'human-input'],
  ['create_memory_store', 'memory'],
  ['delete_memory_store', 'memory'],
  ['create_memory', 'memory'],
  ['update_memory', 'memory'],
  ['upsert_memory', 'memory'],
  ['search_memory', 'memory'],
  ['delete_memory', 'memory'],
]);

/** What `gen_ai.operation.name` says. */
export function operationKind(operation: unknown): LayerKind | undefined {
  return typeof operation === 'string' ? kinds.get(operation) : undefined;
}

/** Ids that stand for "none". */
const noId = /^(<not specified>|unknown|\(merged tools\)|none|null)$/i;

const longestNoId = '<not specified>'.length;

export function realId(id: string): string | undefined {
  return id.length <= longestNoId && noId.test(id) ? undefined : id;
}

export const semconvUsage: Reader<Usage> = usage({
  input: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
  output: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
  cachedInput: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.input_tokens.cached',
  ],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.details.thoughts_tokens',
  ],
});

/** Messages under the given keys; `undefined` where there are none. */
export function messages(role: string, ...keys: readonly string[]): Reader<readonly Message[]> {
  const held = content(...keys);
  return Object.assign(
    through(held, (value) => someMessages(value, role)),
    { raw: held.raw },
  );
}

export function someMessages(value: Json, role: string): readonly Message[] | undefined {
  const found = messagesOf(value, role);
  return found.length > 0 ? found : undefined;
}

/** A tool that passes control on names the receiver; one that gets its answer back is a tool call like any other. */
const handedTo: Reader<string> = cheap((span) => {
  const target = span.attributes.get('gen_ai.transfer.target.name');
  if (typeof target !== 'string' || span.attributes.get('gen_ai.transfer.mode') === 'return_to_caller')
    return undefined;
  return { value: target, from: 'gen_ai.transfer.target.name' };
});

/** Before v0.1.0 an answer ended with the word for why it stopped. */
const finishOfAnswer: Reader<string> = (span, trace) => {
  const found = answer(span, trace);
  const last = Array.isArray(found?.value) ? (found.value as readonly Json[]).at(-1) : undefined;
  const word = isObject(last) ? last['finish_reason'] : undefined;
  return found === undefined || typeof word !== 'string' ? undefined : { value: word, from: found.from };
};

const answer = content('gen_ai.output.messages');

export const semconvFinish: Reader<string> = firstOf(
  firstWord('gen_ai.response.finish_reasons', 'gen_ai.response.finish_reason'),
  finishOfAnswer,
  loggedFinish,
  eventWord('gen_ai.choice', 'finish_reason'),
);

/** `human_input approval`, as our helpers name it; an approval where nothing is said. */
const humanInputKind: Reader<HumanInputKind> = ({ name }) => {
  const word = /^human_input (message|approval|edit)$/.exec(name)?.[1];
  return word === undefined ? undefined : { value: word as HumanInputKind, from: 'span name' };
};

/** What was sent, in every place that a generation of the conventions has for it. */
export const semconvInput: Reader<readonly Message[]> = firstOf(
  messages('user', 'gen_ai.input.messages'),
  eventDetail('gen_ai.input.messages', 'user'),
  loggedDetail('gen_ai.input.messages', 'user'),
  loggedHistory,
  eventHistory,
  eventMessages('gen_ai.content.prompt', 'gen_ai.prompt', 'user'),
  messages('user', 'gen_ai.prompt'),
  flattenedMessages('gen_ai.prompt'),
);

/** What came back, likewise. */
export const semconvOutput: Reader<readonly Message[]> = firstOf(
  messages('assistant', 'gen_ai.output.messages'),
  eventDetail('gen_ai.output.messages', 'assistant'),
  loggedDetail('gen_ai.output.messages', 'assistant'),
  loggedAnswer,
  eventMessages('gen_ai.choice', 'message', 'assistant'),
  eventMessages('gen_ai.content.completion', 'gen_ai.completion', 'assistant'),
  messages('assistant', 'gen_ai.completion'),
  flattenedMessages('gen_ai.completion'),
);

export const semconvFacts: Facts = {
  run: text('gen_ai.agent.call.id'),
  conversation: text('gen_ai.conversation.id', 'session.id'),
  agent: firstOf(text('gen_ai.agent.name', 'gen_ai.workflow.name'), nameAfter('invoke_agent ', 'invoke_workflow ')),
  toolName: firstOf(text('gen_ai.tool.name'), nameAfter('execute_tool ', 'tools/call ')),
  callId: cheap(through(text('gen_ai.tool.call.id'), realId)),
  arguments: firstOf(content('gen_ai.tool.call.arguments'), eventContent('gen_ai.tool.message', 'content')),
  result: firstOf(
    content('gen_ai.tool.call.result'),
    eventContent('gen_ai.choice', 'message'),
    eventContent('tool.output', 'output'),
  ),
  documents,
  model: text('gen_ai.response.model', 'gen_ai.request.model'),
  responseId: text('gen_ai.response.id'),
  finish: semconvFinish,
  cost: semconvCost,
  handoffTo: handedTo,
  humanInput: humanInputKind,
  usage: semconvUsage,
  inputMessages: semconvInput,
  outputMessages: semconvOutput,
};
