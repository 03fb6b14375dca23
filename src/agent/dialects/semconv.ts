import type { Facts, LayerKind } from '../dialect.ts';
import { documents } from '../documents.ts';
import { messagesOf } from '../messages/messages.ts';
import { cheap, content, firstOf, firstWord, nameAfter, type Reader, text, through, usage } from '../reading.ts';
import type { Json, Message, Usage } from '../run.ts';
import { flattenedMessages } from './flattened-messages.ts';
import { loggedAnswer, loggedDetail, loggedHistory } from './log-messages.ts';
import { eventDetail, eventHistory, eventMessages } from './span-events.ts';

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

export const semconvFacts: Facts = {
  run: text('gen_ai.agent.call.id'),
  conversation: text('gen_ai.conversation.id', 'session.id'),
  agent: firstOf(text('gen_ai.agent.name', 'gen_ai.workflow.name'), nameAfter('invoke_agent ', 'invoke_workflow ')),
  toolName: firstOf(text('gen_ai.tool.name'), nameAfter('execute_tool ', 'tools/call ')),
  callId: cheap(through(text('gen_ai.tool.call.id'), realId)),
  arguments: content('gen_ai.tool.call.arguments'),
  result: content('gen_ai.tool.call.result'),
  documents,
  model: text('gen_ai.response.model', 'gen_ai.request.model'),
  responseId: text('gen_ai.response.id'),
  finish: firstWord('gen_ai.response.finish_reasons', 'gen_ai.response.finish_reason'),
  usage: semconvUsage,
  inputMessages: firstOf(
    messages('user', 'gen_ai.input.messages'),
    eventDetail('gen_ai.input.messages', 'user'),
    loggedDetail('gen_ai.input.messages', 'user'),
    loggedHistory,
    eventHistory,
    eventMessages('gen_ai.content.prompt', 'gen_ai.prompt', 'user'),
    flattenedMessages('gen_ai.prompt'),
  ),
  outputMessages: firstOf(
    messages('assistant', 'gen_ai.output.messages'),
    eventDetail('gen_ai.output.messages', 'assistant'),
    loggedDetail('gen_ai.output.messages', 'assistant'),
    loggedAnswer,
    eventMessages('gen_ai.choice', 'message', 'assistant'),
    eventMessages('gen_ai.content.completion', 'gen_ai.completion', 'assistant'),
    flattenedMessages('gen_ai.completion'),
  ),
};
