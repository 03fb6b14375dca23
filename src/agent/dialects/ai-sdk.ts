import type { Span } from '../../trace/span.ts';
import { isObject, parsed } from '../content.ts';
import type { Dialect, Facts, LayerKind, ToolMark } from '../dialect.ts';
import { messagesOf } from '../messages/messages.ts';
import { content, firstOf, firstWord, type Reader, text, usage } from '../reading.ts';
import type { Message } from '../run.ts';
import { sights } from '../visibility.ts';
import { messages, semconvFacts } from './semconv.ts';

const modelCall =
  /^ai\.(generateText\.doGenerate|streamText\.doStream|generateObject\.doGenerate|streamObject\.doStream)$/;
const agentRun = /^ai\.(generateText|streamText|generateObject|streamObject)$/;

/** `ai.generateText.doGenerate order-support`: the operation and the function's id, before there was an id of its own. */
function operationName(told: unknown): string | undefined {
  return typeof told === 'string' && told.startsWith('ai.') ? told.split(' ')[0] : undefined;
}

/** Vercel AI SDK 4 to 6, and the legacy integration of 7. Every span says its operation in `ai.operationId`. */
function kind({ attributes }: Span): LayerKind | undefined {
  const operation = attributes.get('ai.operationId') ?? operationName(attributes.get('operation.name'));
  if (typeof operation !== 'string') return undefined;
  if (operation === 'ai.toolCall') return 'tool';
  if (modelCall.test(operation)) return 'model';
  return agentRun.test(operation) ? 'agent' : 'other';
}

/** The answer is spread over attributes: text, and the tool calls as JSON. */
const answer: Reader<readonly Message[]> = ({ attributes }) => {
  const said = attributes.get('ai.response.text');
  const calls = attributes.get('ai.response.toolCalls');
  const object = attributes.get('ai.response.object');
  const from = [
    ['ai.response.text', said],
    ['ai.response.toolCalls', calls],
    ['ai.response.object', object],
  ].find(([, value]) => value !== undefined)?.[0];
  if (typeof from !== 'string') return undefined;
  const toolCalls =
    typeof calls === 'string' ? messagesOf(parsed(calls), 'assistant').flatMap((one) => one.toolCalls) : [];
  const spoken = typeof said === 'string' ? said : typeof object === 'string' ? object : '';
  return { value: [{ role: 'assistant', text: spoken, toolCalls, toolResults: [] }], from };
};

/** A denied call has a result of its own kind instead of an execution. */
const toolMark: Reader<ToolMark> = ({ attributes }) => {
  const raw = attributes.get('ai.toolCall.result');
  if (typeof raw !== 'string' || !raw.includes('execution-denied')) return undefined;
  const result = parsed(raw);
  return isObject(result) && result['type'] === 'execution-denied'
    ? { value: 'denied', from: 'ai.toolCall.result' }
    : undefined;
};

export const aiSdkFacts: Facts = {
  ...semconvFacts,
  conversation: text(
    'gen_ai.conversation.id',
    'session.id',
    'ai.telemetry.metadata.sessionId',
    'ai.telemetry.metadata.threadId',
    'ai.telemetry.metadata.conversationId',
    'ai.settings.context.sessionId',
    'ai.settings.context.threadId',
    'ai.settings.context.conversationId',
  ),
  agent: text('ai.telemetry.functionId', 'resource.name'),
  toolName: text('ai.toolCall.name'),
  callId: text('ai.toolCall.id'),
  arguments: content('ai.toolCall.args', 'ai.toolCall.input'),
  result: content('ai.toolCall.result', 'ai.toolCall.output'),
  toolMark,
  model: text('ai.response.model', 'gen_ai.response.model', 'ai.model.id'),
  responseId: text('ai.response.id', 'gen_ai.response.id'),
  finish: firstWord('ai.response.finishReason', 'gen_ai.response.finish_reasons'),
  usage: usage({
    input: ['ai.usage.inputTokens', 'ai.usage.promptTokens', 'gen_ai.usage.input_tokens'],
    output: ['ai.usage.outputTokens', 'ai.usage.completionTokens', 'gen_ai.usage.output_tokens'],
    cachedInput: [
      'ai.usage.inputTokenDetails.cacheReadTokens',
      'ai.usage.cachedInputTokens',
      'gen_ai.usage.cache_read.input_tokens',
    ],
    reasoning: ['ai.usage.outputTokenDetails.reasoningTokens', 'ai.usage.reasoningTokens'],
  }),
  inputMessages: messages('user', 'ai.prompt.messages', 'ai.prompt'),
  outputMessages: firstOf(answer),
};

/** Which generation wrote the span: 4 and 5 count prompt tokens, 5 and 6 input tokens with more and more detail. */
function generation({ attributes }: Span): string | undefined {
  const agent = attributes.get('ai.request.headers.user-agent');
  const told = typeof agent === 'string' ? /\bai\/(\d+(?:\.\d+)*)/.exec(agent)?.[1] : undefined;
  return told;
}

export const aiSdk: Dialect = {
  name: 'ai-sdk',
  scopes: /^ai$/,
  keys: ['ai.operationId'],
  kind,
  facts: aiSdkFacts,
  generation,
  sights: [
    {
      of: 'Vercel AI SDK 4 to 6, and the legacy integration of 7',
      shows: sights('shown', { failureMarks: 'shown', humanInputs: 'partly' }),
    },
  ],
};

/** AI SDK 7 with its OpenTelemetry integration: the conventions, under a scope of its own. */
export const aiSdk7: Dialect = {
  name: 'ai-sdk-7',
  scopes: /^gen_ai$/,
  kind: ({ attributes }) => {
    const operation = attributes.get('gen_ai.operation.name');
    if (operation === 'invoke_agent') return 'agent';
    if (operation === 'chat') return 'model';
    if (operation === 'execute_tool') return 'tool';
    return typeof operation === 'string' ? 'other' : undefined;
  },
  facts: {
    ...semconvFacts,
    usage: usage({
      input: ['gen_ai.usage.input_tokens'],
      output: ['gen_ai.usage.output_tokens'],
      cachedInput: ['gen_ai.usage.cache_read.input_tokens'],
      reasoning: [
        'gen_ai.usage.reasoning.output_tokens',
        'gen_ai.usage.reasoning_tokens',
        'ai.usage.outputTokenDetails.reasoningTokens',
        'ai.usage.reasoningTokens',
      ],
    }),
  },
  generation,
  sights: [
    {
      of: 'Vercel AI SDK 7 (@ai-sdk/otel)',
      shows: sights('shown', { failureMarks: 'shown', humanInputs: 'partly' }),
    },
  ],
};
