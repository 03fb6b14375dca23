import type { Dialect, Facts, LayerKind } from '../dialect.ts';
import { messagesOf } from '../messages/messages.ts';
import { content, firstOf, firstWord, nameAfter, type Reader, text, through, usage } from '../reading.ts';
import type { Message, Usage } from '../run.ts';
import { sights } from '../visibility.ts';

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
  ['create_memory_store', 'memory'],
  ['delete_memory_store', 'memory'],
  ['create_memory', 'memory'],
  ['update_memory', 'memory'],
  ['upsert_memory', 'memory'],
  ['search_memory', 'memory'],
  ['delete_memory', 'memory'],
]);

/** What `gen_ai.operation.name` says; spans from before v1.27 by their name. */
export function operationKind(operation: unknown): LayerKind | undefined {
  return typeof operation === 'string' ? kinds.get(operation) : undefined;
}

/** Ids that stand for "none". */
const noId = /^(<not specified>|unknown|\(merged tools\)|none|null)$/i;

export const semconvCallId: Reader<string> = through(text('gen_ai.tool.call.id'), (id) =>
  noId.test(id) ? undefined : id,
);

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

const someMessages = (messages: readonly Message[]): readonly Message[] | undefined =>
  messages.length > 0 ? messages : undefined;

export const semconvInput: Reader<readonly Message[]> = through(content('gen_ai.input.messages'), (value) =>
  someMessages(messagesOf(value, 'user')),
);

export const semconvOutput: Reader<readonly Message[]> = through(content('gen_ai.output.messages'), (value) =>
  someMessages(messagesOf(value, 'assistant')),
);

export const semconvFacts: Facts = {
  run: text('gen_ai.agent.call.id'),
  conversation: text('gen_ai.conversation.id', 'session.id'),
  agent: firstOf(text('gen_ai.agent.name', 'gen_ai.workflow.name'), nameAfter('invoke_agent ', 'invoke_workflow ')),
  toolName: firstOf(text('gen_ai.tool.name'), nameAfter('execute_tool ', 'tools/call ')),
  callId: semconvCallId,
  arguments: content('gen_ai.tool.call.arguments'),
  result: content('gen_ai.tool.call.result'),
  model: text('gen_ai.response.model', 'gen_ai.request.model'),
  responseId: text('gen_ai.response.id'),
  finish: firstWord('gen_ai.response.finish_reasons', 'gen_ai.response.finish_reason'),
  usage: semconvUsage,
  inputMessages: semconvInput,
  outputMessages: semconvOutput,
};

/** The conventions as they stand (semconv-genai v0.1.0, core v1.37 to v1.41), whoever writes them. */
export const otelGenAi: Dialect = {
  name: 'otel-genai',
  keys: ['gen_ai.operation.name', 'mcp.method.name'],
  kind: ({ attributes }) => {
    const kind = operationKind(attributes.get('gen_ai.operation.name'));
    if (kind !== undefined) return kind;
    const method = attributes.get('mcp.method.name');
    return method === 'tools/call' ? 'tool' : undefined;
  },
  facts: semconvFacts,
  // Anybody can write these keys: what such a scope leaves out nobody knows.
  sight: () => sights('hidden'),
};
