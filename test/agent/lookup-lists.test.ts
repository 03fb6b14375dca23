import { describe, expect, test } from 'vitest';
import { agent, runOf, type SmallSpan } from './small-trace.ts';

// Where conventions put the same fact: every key of the cross-dialect lists, under a scope that writes it.

function node(
  scope: string,
  more: Partial<SmallSpan> & { readonly attributes: Readonly<Record<string, unknown>> },
): SmallSpan {
  return { id: 2, parent: 1, scope, name: 'node', ...more };
}

const claude = 'com.anthropic.claude_code.tracing';
const toolMarks: Readonly<Record<string, Partial<SmallSpan>>> = {
  ai: { attributes: { 'ai.operationId': 'ai.toolCall' } },
  'langfuse-sdk': { attributes: { 'langfuse.observation.type': 'tool' } },
  langsmith: { attributes: { 'langsmith.span.kind': 'tool' } },
  'openinference.instrumentation.agno': { attributes: { 'openinference.span.kind': 'TOOL' } },
  'openinference.instrumentation.langchain': { attributes: { 'openinference.span.kind': 'TOOL' } },
  'traceloop.tracer': { attributes: { 'traceloop.span.kind': 'tool' } },
  [claude]: { name: 'claude_code.tool' },
};

function toolSpan(scope: string, more: Partial<SmallSpan>): SmallSpan {
  const mark = toolMarks[scope];
  const attributes = {
    ...(mark === undefined ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...mark?.attributes,
    ...more.attributes,
  };
  return node(scope, { ...mark, ...more, attributes });
}

const callOf = (scope: string, more: Partial<SmallSpan>) =>
  runOf([{ ...agent, scope }, toolSpan(scope, more)]).toolCalls[0];

describe('conversation', () => {
  test.each([
    ['gen_ai.conversation.id', 'any'],
    ['session.id', 'any'],
    ['langfuse.session.id', 'langfuse-sdk'],
    ['gcp.vertex.agent.session_id', 'gcp.vertex.agent'],
    ['anthropic.session.thread.id', 'com.anthropic.sdk.typescript'],
    ['anthropic.session.id', 'com.anthropic.sdk.typescript'],
    ['traceloop.association.properties.session_id', 'traceloop.tracer'],
    ['traceloop.association.properties.thread_id', 'traceloop.tracer'],
    ['traceloop.association.properties.conversation_id', 'traceloop.tracer'],
    ['langsmith.metadata.thread_id', 'langsmith'],
    ['langsmith.metadata.session_id', 'langsmith'],
    ['langsmith.metadata.conversation_id', 'langsmith'],
    ['ai.telemetry.metadata.sessionId', 'ai'],
    ['ai.telemetry.metadata.threadId', 'ai'],
    ['ai.telemetry.metadata.conversationId', 'ai'],
    ['ai.settings.context.sessionId', 'ai'],
    ['mastra.metadata.threadId', '@mastra/otel-exporter'],
  ])('%s', (key, scope) => {
    expect(runOf([{ ...agent, scope }, toolSpan(scope, { attributes: { [key]: 'k1' } })]).conversationId).toBe('k1');
  });

  test('metadata, as JSON', () => {
    const scope = 'openinference.instrumentation.langchain';
    const span = toolSpan(scope, { attributes: { metadata: { thread_id: 'k1' } } });
    expect(runOf([{ ...agent, scope }, span]).conversationId).toBe('k1');
  });
});

describe('tool name', () => {
  test.each<readonly [string, string, Partial<SmallSpan>]>([
    ['gen_ai.tool.name', 'any', { attributes: { 'gen_ai.tool.name': 'lookup' } }],
    ['tool.name', 'openinference.instrumentation.langchain', { attributes: { 'tool.name': 'lookup' } }],
    ['ai.toolCall.name', 'ai', { attributes: { 'ai.toolCall.name': 'lookup' } }],
    ['tool_name', claude, { attributes: { tool_name: 'lookup' } }],
    ['traceloop.entity.name', 'traceloop.tracer', { attributes: { 'traceloop.entity.name': 'lookup' } }],
    ['langsmith.trace.name', 'langsmith', { attributes: { 'langsmith.trace.name': 'lookup' } }],
    ['the span’s name after execute_tool', 'any', { name: 'execute_tool lookup' }],
    ['the span’s name', 'langfuse-sdk', { name: 'lookup' }],
  ])('%s', (_, scope, more) => {
    expect(callOf(scope, more)?.name).toBe('lookup');
  });
});

describe('arguments', () => {
  const given = { order: 7 };
  test.each<readonly [string, string, Partial<SmallSpan>]>([
    ['gen_ai.tool.call.arguments', 'any', { attributes: { 'gen_ai.tool.call.arguments': given } }],
    ['gen_ai.tool.input', 'sentry', { attributes: { 'gen_ai.tool.input': given } }],
    ['tool_arguments', 'pydantic-ai', { attributes: { tool_arguments: given } }],
    ['ai.toolCall.args', 'ai', { attributes: { 'ai.toolCall.args': given } }],
    ['ai.toolCall.input', 'ai', { attributes: { 'ai.toolCall.input': given } }],
    [
      'gcp.vertex.agent.tool_call_args',
      'gcp.vertex.agent',
      { attributes: { 'gcp.vertex.agent.tool_call_args': given } },
    ],
    [
      'traceloop.entity.input',
      'traceloop.tracer',
      { attributes: { 'traceloop.entity.input': { args: [], kwargs: given } } },
    ],
    ['tool.parameters', 'openinference.instrumentation.agno', { attributes: { 'tool.parameters': given } }],
    ['input.value', 'openinference.instrumentation.langchain', { attributes: { 'input.value': given } }],
    ['langfuse.observation.input', 'langfuse-sdk', { attributes: { 'langfuse.observation.input': given } }],
    ['gen_ai.prompt', 'langsmith', { attributes: { 'gen_ai.prompt': given } }],
    [
      'event gen_ai.tool.message',
      'strands-agents',
      { events: [{ name: 'gen_ai.tool.message', attributes: { content: given } }] },
    ],
  ])('%s', (_, scope, more) => {
    expect(callOf(scope, more)?.arguments()).toEqual(given);
  });
});

describe('result', () => {
  const done = { done: true };
  test.each<readonly [string, string, Partial<SmallSpan>]>([
    ['gen_ai.tool.call.result', 'any', { attributes: { 'gen_ai.tool.call.result': done } }],
    [
      'anthropic.tool_result.content',
      'com.anthropic.sdk.python',
      { attributes: { 'anthropic.tool_result.content': done } },
    ],
    ['gen_ai.tool.output', 'sentry', { attributes: { 'gen_ai.tool.output': done } }],
    ['tool_response', 'pydantic-ai', { attributes: { tool_response: done } }],
    ['ai.toolCall.result', 'ai', { attributes: { 'ai.toolCall.result': done } }],
    ['ai.toolCall.output', 'ai', { attributes: { 'ai.toolCall.output': done } }],
    ['gcp.vertex.agent.tool_response', 'gcp.vertex.agent', { attributes: { 'gcp.vertex.agent.tool_response': done } }],
    ['traceloop.entity.output', 'traceloop.tracer', { attributes: { 'traceloop.entity.output': done } }],
    ['output.value', 'openinference.instrumentation.langchain', { attributes: { 'output.value': done } }],
    ['langfuse.observation.output', 'langfuse-sdk', { attributes: { 'langfuse.observation.output': done } }],
    ['gen_ai.completion', 'langsmith', { attributes: { 'gen_ai.completion': done } }],
    ['event gen_ai.choice', 'strands-agents', { events: [{ name: 'gen_ai.choice', attributes: { message: done } }] }],
    ['event tool.output', claude, { events: [{ name: 'tool.output', attributes: { output: done } }] }],
  ])('%s', (_, scope, more) => {
    expect(callOf(scope, more)?.result()).toEqual(done);
  });
});

describe('call id', () => {
  test.each([
    ['gen_ai.tool.call.id', 'any'],
    ['tool.id', 'openinference.instrumentation.langchain'],
    ['tool_call.id', 'openinference.instrumentation.langchain'],
    ['ai.toolCall.id', 'ai'],
    ['tool_use_id', claude],
  ])('%s', (key, scope) => {
    expect(callOf(scope, { attributes: { [key]: 'c1' } })?.callId).toBe('c1');
  });
});

const modelMarks: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ai: { 'ai.operationId': 'ai.generateText.doGenerate' },
  'langfuse-sdk': { 'langfuse.observation.type': 'generation' },
  langsmith: { 'langsmith.span.kind': 'llm' },
  'openinference.instrumentation.langchain': { 'openinference.span.kind': 'LLM' },
};

function modelOf(scope: string, attributes: Readonly<Record<string, unknown>>) {
  const name = scope === claude ? 'claude_code.llm_request' : 'chat toy-1';
  const mark = modelMarks[scope] ?? { 'gen_ai.operation.name': 'chat' };
  return runOf([{ ...agent, scope }, node(scope, { name, attributes: { ...mark, ...attributes } })]).modelCalls[0];
}

describe('tokens', () => {
  test.each([
    ['any', 'gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'],
    ['any', 'gen_ai.usage.prompt_tokens', 'gen_ai.usage.completion_tokens'],
    ['openinference.instrumentation.langchain', 'llm.token_count.prompt', 'llm.token_count.completion'],
    ['ai', 'ai.usage.promptTokens', 'ai.usage.completionTokens'],
    ['ai', 'ai.usage.inputTokens', 'ai.usage.outputTokens'],
    [claude, 'input_tokens', 'output_tokens'],
  ])('%s: %s, %s', (scope, input, output) => {
    expect(modelOf(scope, { [input]: 10, [output]: 2 })?.usage).toMatchObject({ input: 10, output: 2 });
  });

  test.each([
    ['any', 'gen_ai.usage.reasoning.output_tokens'],
    ['any', 'gen_ai.usage.reasoning_tokens'],
    ['any', 'gen_ai.usage.details.thoughts_tokens'],
    ['any', 'gen_ai.usage.details.reasoning_tokens'],
    ['ai', 'ai.usage.reasoningTokens'],
    ['ai', 'ai.usage.outputTokenDetails.reasoningTokens'],
    ['openinference.instrumentation.langchain', 'llm.token_count.completion_details.reasoning'],
  ])('reasoning, %s: %s', (scope, key) => {
    const sum = { 'gen_ai.usage.output_tokens': 5, 'llm.token_count.completion': 5, 'ai.usage.outputTokens': 5 };
    expect(modelOf(scope, { ...sum, [key]: 3 })?.usage?.reasoning).toBe(3);
  });
});

describe('finish', () => {
  test.each<readonly [string, string, unknown]>([
    ['gen_ai.response.finish_reasons', 'any', ['length']],
    ['gen_ai.response.finish_reasons', 'any', '["length"]'],
    ['gen_ai.response.finish_reasons', 'any', 'length,stop'],
    ['ai.response.finishReason', 'ai', 'length'],
    ['anthropic.message.stop_reason', 'com.anthropic.sdk.typescript', 'max_tokens'],
    ['stop_reason', claude, 'max_tokens'],
    ['llm.finish_reason', 'openinference.instrumentation.langchain', 'length'],
    ['gen_ai.output.messages', 'any', [{ role: 'assistant', parts: [], finish_reason: 'length' }]],
  ])('%s under %s as %j', (key, scope, value) => {
    expect(modelOf(scope, { [key]: value })?.finish).toBe('length');
  });
});

describe('cost', () => {
  test.each<readonly [string, string, unknown]>([
    ['gen_ai.usage.cost', 'any', 0.5],
    ['gen_ai.usage.cost.amount', 'any', 0.5],
    ['gen_ai.cost', 'any', '0.5'],
    ['llm.cost.total', 'openinference.instrumentation.langchain', 0.5],
    ['operation.cost', 'pydantic-ai', 0.5],
    ['langfuse.observation.cost_details', 'langfuse-sdk', { total: 0.5, input: 0.25 }],
  ])('%s', (key, scope, value) => {
    expect(modelOf(scope, { [key]: value })?.cost?.amount).toBe(0.5);
  });
});
