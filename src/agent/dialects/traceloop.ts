import type { Span } from '../../trace/span.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind, SightQuestion } from '../dialect.ts';
import { asText, content, firstOf, member, type Reader, text, through } from '../reading.ts';
import type { Json } from '../run.ts';
import { sights, type Visibility } from '../visibility.ts';
import { flattenedMessages } from './flattened-messages.ts';
import { langChainCallId, langChainMark, langChainResult } from './langchain.ts';
import { messages, operationKind, semconvFacts } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  workflow: 'agent',
  agent: 'agent',
  tool: 'tool',
  task: 'other',
  session: 'other',
};

export function traceloopKind({ attributes }: Span): LayerKind | undefined {
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  const told = attributes.get('traceloop.span.kind');
  if (typeof told === 'string') return kinds[told] ?? 'other';
  return attributes.has('llm.request.type') ? 'model' : undefined;
}

/** `{ args: [], kwargs: {…} }`, `{ inputs: {…} }`, `{ tool_name, arguments }`: envelopes around the arguments. */
function given(value: Json): Json | undefined {
  if (!isObject(value)) return value;
  for (const key of ['kwargs', 'arguments', 'tool_kwargs', 'inputs', 'input']) {
    const inner = value[key];
    if (isObject(inner)) return inner;
  }
  return value['args'] === undefined ? value : undefined;
}

const result: Reader<Json> = through(content('traceloop.entity.output'), (value) =>
  isObject(value) && value['result'] !== undefined && value['is_error'] === undefined
    ? (value['result'] as Json)
    : value,
);

const providers =
  /(openai|openai\.v[01]|anthropic|bedrock|cohere|vertexai|google-generativeai|google_generativeai|mistralai|groq|ollama|together|replicate|watsonx|writer|azure|sagemaker|alephalpha|transformers|voyageai)$/;

/** What a package of OpenLLMetry is for decides what it can show. */
function sight({ scope }: SightQuestion): Visibility {
  // A rejected call leaves no span, and neither does a wrapped function that throws in JavaScript.
  if (providers.test(scope))
    return sights('hidden', { modelCalls: 'shown', toolNames: 'shown', content: 'shown', usage: 'shown' });
  if (/mcp$/.test(scope)) return sights('hidden', { toolCalls: 'shown', toolNames: 'shown', failedToolCalls: 'shown' });
  if (scope === '@traceloop/node-server-sdk')
    return sights('hidden', { toolCalls: 'shown', toolNames: 'shown', subAgents: 'partly' });
  if (scope === 'traceloop.tracer') {
    return sights('hidden', { toolCalls: 'shown', toolNames: 'shown', failedToolCalls: 'shown', subAgents: 'partly' });
  }
  return sights('shown');
}

export const traceloop: Dialect = {
  name: 'traceloop',
  scopes:
    /^(@traceloop\/|traceloop\.|opentelemetry\.instrumentation\.(openai\.v[01]|anthropic|bedrock|cohere|alephalpha|google_generativeai|groq|mistralai|ollama|replicate|sagemaker|together|transformers|watsonx|writer|voyageai|llamaindex|langchain|crewai|agno|haystack|mcp)$)/,
  keys: ['traceloop.span.kind', 'traceloop.entity.name', 'gen_ai.prompt.0.role', 'gen_ai.completion.0.role'],
  kind: traceloopKind,
  facts: {
    ...semconvFacts,
    conversation: text(
      'gen_ai.conversation.id',
      'session.id',
      'traceloop.association.properties.session_id',
      'traceloop.association.properties.thread_id',
      'traceloop.association.properties.conversation_id',
    ),
    agent: text('gen_ai.agent.name', 'traceloop.workflow.name', 'traceloop.entity.name'),
    toolName: firstOf(
      asText(member(content('traceloop.entity.input'), 'tool_name')),
      text('gen_ai.tool.name', 'tool.name', 'traceloop.entity.name'),
    ),
    callId: firstOf(text('gen_ai.tool.call.id'), langChainCallId(content('traceloop.entity.output'))),
    arguments: firstOf(
      content('tool.arguments'),
      through(content('gen_ai.tool.call.arguments', 'traceloop.entity.input'), given),
    ),
    result: firstOf(content('gen_ai.tool.call.result'), langChainResult(result)),
    toolMark: langChainMark(content('traceloop.entity.output')),
    inputMessages: firstOf(messages('user', 'gen_ai.input.messages'), flattenedMessages('gen_ai.prompt')),
    outputMessages: firstOf(messages('assistant', 'gen_ai.output.messages'), flattenedMessages('gen_ai.completion')),
  },
  sight,
};
