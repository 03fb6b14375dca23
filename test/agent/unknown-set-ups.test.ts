import { describe, expect, test } from 'vitest';
import { agent, answered, asked, chat, runOf, runsOf, type SmallSpan, tool } from './small-trace.ts';

// Conventions and versions of which no capture is at hand, written down from their documents. What matters most: none of
// them may claim what its trace does not show.

const calls = (spans: readonly SmallSpan[]) =>
  runsOf(spans).flatMap(({ toolCalls }) => toolCalls.map(({ name, callId, outcome }) => [name, callId, outcome]));

const oi = (id: number, scope: string, kind: string, name: string, more: Record<string, unknown> = {}): SmallSpan => ({
  id,
  ...(id === 1 ? {} : { parent: 1 }),
  scope,
  name,
  attributes: { 'openinference.span.kind': kind, ...more },
});

describe('what is not known to show every call decides no absence', () => {
  test.each([
    ['OpenInference for Haystack', [oi(1, 'openinference.instrumentation.haystack', 'CHAIN', 'Pipeline')]],
    ['an OpenInference package that nobody declared', [oi(1, 'openinference.instrumentation.newest', 'AGENT', 'a')]],
    ['OpenInference spans made by hand', [oi(1, 'my-app', 'AGENT', 'a'), oi(2, 'my-app', 'LLM', 'm')]],
    [
      'an unknown package of OpenLLMetry',
      [
        {
          id: 1,
          scope: 'opentelemetry.instrumentation.newest',
          name: 'a.agent',
          attributes: { 'traceloop.span.kind': 'agent' },
        },
      ],
    ],
    [
      'Langfuse, wrapped by hand',
      [
        { id: 1, scope: 'langfuse-sdk', name: 'a', attributes: { 'langfuse.observation.type': 'agent' } },
        {
          id: 2,
          parent: 1,
          scope: 'langfuse-sdk',
          name: 'm',
          attributes: { 'langfuse.observation.type': 'generation' },
        },
      ],
    ],
    ['a Haystack pipeline', [{ id: 1, scope: 'my-app', name: 'haystack.pipeline.run' }]],
    [
      'the helpers, without a word that they wrap all',
      [{ ...agent, scope: 'otel-eval' }, chat(2, { scope: 'otel-eval', content: false })],
    ],
    [
      'a package of OTel genai that nobody declared',
      [{ ...agent, scope: 'opentelemetry.instrumentation.genai.newest' }],
    ],
    [
      'chat clients of .NET whose tools have no span',
      [
        { ...agent, scope: 'Experimental.Microsoft.Extensions.AI' },
        chat(2, { scope: 'Experimental.Microsoft.Extensions.AI', content: false }),
      ],
    ],
    ['Mastra before its own span types', [{ ...agent, scope: '@mastra/core' }]],
    [
      'model calls under LangChain, by the package of OTel',
      [{ ...agent, scope: 'my-app' }, chat(2, { scope: 'opentelemetry.instrumentation.langchain', content: false })],
    ],
    ['Sentry', [{ id: 1, scope: 'sentry', name: 'a', attributes: { 'sentry.op': 'gen_ai.invoke_agent' } }]],
  ] satisfies readonly (readonly [string, readonly SmallSpan[]])[])('%s', (name, spans) => {
    const { visibility } = runOf(spans);
    expect([name, visibility.toolCalls === 'shown', visibility.modelCalls === 'shown']).toEqual([
      name,
      false,
      /^(chat clients|model calls)/.test(name),
    ]);
  });

  test('where no model call is seen, models cannot be seen', () => {
    expect(
      runOf([oi(1, 'openinference.instrumentation.claude_agent_sdk', 'AGENT', 'query')]).visibility.modelCalls,
    ).toBe('hidden');
    expect(runOf([{ ...agent, scope: 'pydantic-ai' }]).visibility.modelCalls).toBe('hidden');
  });

  test('the helpers declare themselves: an agent inside one that does so is part of it', () => {
    const whole = {
      ...agent,
      scope: 'otel-eval',
      attributes: { ...agent.attributes, 'otel_eval.instrumented': 'all' },
    };
    const inner = { ...agent, id: 3, parent: 2, at: [30, 35] as const, scope: 'otel-eval' };
    const call = tool(2, 'ask', { scope: 'otel-eval', at: [20, 40] });
    expect(runOf([whole, call]).visibility.toolCalls).toBe('shown');
    expect(runOf([whole, call, inner]).visibility.toolCalls).toBe('shown');
    expect(runOf([{ ...whole, attributes: agent.attributes ?? {} }, call]).visibility.toolCalls).toBe('partly');
    expect(
      runOf([{ ...agent, scope: 'otel-eval' }, call, { ...inner, attributes: whole.attributes }]).visibility.toolCalls,
    ).toBe('partly');
  });
});

test('AI SDK before operation ids: the operation stands at the start of a name', () => {
  const span = (id: number, operation: string, more: Record<string, unknown> = {}): SmallSpan => ({
    id,
    ...(id === 1 ? {} : { parent: 1 }),
    scope: 'ai',
    name: operation,
    attributes: { 'operation.name': `${operation} order-support`, ...more },
  });
  const run = runOf([
    span(1, 'ai.generateText'),
    span(2, 'ai.generateText.doGenerate', { 'ai.usage.promptTokens': 101, 'ai.usage.completionTokens': 17 }),
    span(3, 'ai.toolCall', { 'ai.toolCall.name': 'refund', 'ai.toolCall.id': 'c1', 'ai.toolCall.args': { order: 7 } }),
  ]);
  expect([run.usage.input, run.usage.output]).toEqual([101, 17]);
  expect(run.toolCalls.map((call) => [call.name, call.arguments()])).toEqual([['refund', { order: 7 }]]);
});

test('AI SDK 7: a call that was denied did not run, whatever the message looks like', () => {
  const scope = 'gen_ai';
  const call = { id: 'c1', name: 'refund', arguments: {} };
  const run = runOf([
    { ...agent, scope },
    chat(2, { scope, asks: [call] }),
    chat(3, { scope, says: 'no', history: [asked(call), answered('c1', { denied: true, reason: 'too much' })] }),
  ]);
  expect(run.toolCalls.map(({ outcome }) => outcome)).toEqual(['denied']);
  expect(run.humanInputs.map(({ kind }) => kind)).toEqual(['approval']);
});

test('ADK in JavaScript: a span without attributes is a call of whose end nothing is told', () => {
  const scope = 'gcp.vertex.agent';
  const resource = { 'telemetry.sdk.language': 'nodejs' };
  const run = runOf([
    { id: 1, scope, resource, name: 'invocation' },
    { id: 2, parent: 1, scope, resource, name: 'agent_run [helper]' },
    { id: 3, parent: 2, scope, resource, name: 'execute_tool refund' },
  ]);
  expect(run.toolCalls.map(({ name, agent: by, outcome }) => [name, by, outcome])).toEqual([
    ['refund', 'helper', 'unknown'],
  ]);
  expect(run.visibility.failureMarks).toBe('hidden');
});

test('pydantic-ai: arguments that did not validate never reached the tool', () => {
  const run = runOf([
    { ...agent, scope: 'pydantic-ai' },
    tool(2, 'refund', {
      scope: 'pydantic-ai',
      call: 'c1',
      status: 'error',
      extra: { 'pydantic_ai.tool.failure_stage': 'validation' },
    }),
  ]);
  expect(run.toolCalls).toEqual([]);
  expect(run.requestedNotRun).toEqual([{ name: 'refund', callId: 'c1' }]);
});

test('Claude Code: what a person refused has no execution; a rule is no person; a request that failed says so in text', () => {
  const scope = 'com.anthropic.claude_code.tracing';
  const story = (decision: Record<string, unknown>, ran: boolean): SmallSpan[] => [
    { id: 1, scope, name: 'claude_code.interaction' },
    { id: 2, parent: 1, scope, name: 'claude_code.llm_request', attributes: { success: 'false' } },
    { id: 3, parent: 1, scope, name: 'claude_code.tool', attributes: { tool_name: 'Bash', tool_use_id: 'c1' } },
    { id: 4, parent: 3, scope, name: 'claude_code.tool.blocked_on_user', attributes: decision },
    ...(ran ? [{ id: 5, parent: 3, scope, name: 'claude_code.tool.execution', attributes: { success: 'true' } }] : []),
  ];
  expect(calls(story({ decision: 'reject', source: 'user_reject' }, false))).toEqual([['Bash', 'c1', 'denied']]);
  expect(calls(story({ decision: 'unknown', source: 'unknown' }, false))).toEqual([]);
  expect(calls(story({ decision: 'accept', source: 'user_temporary' }, true))).toEqual([['Bash', 'c1', 'succeeded']]);
  const [allowed, ruled] = ['user_temporary', 'config'].map((source) =>
    runOf(story({ decision: 'accept', source }, true)),
  );
  expect([allowed?.humanInputs.length, ruled?.humanInputs.length]).toEqual([1, 0]);
  expect(allowed?.modelCalls.map(({ outcome }) => outcome)).toEqual(['failed']);
});

test('Mastra: a call that runs in the caller’s program may or may not have run', () => {
  const span = (id: number, type: string, more: Partial<SmallSpan> = {}): SmallSpan => ({
    id,
    ...(id === 1 ? {} : { parent: 1 }),
    scope: '@mastra/otel-exporter',
    name: type,
    ...more,
    attributes: { 'mastra.span.type': type, ...more.attributes },
  });
  expect(
    calls([
      span(1, 'agent_run'),
      span(2, 'client_tool_call', { attributes: { 'gen_ai.tool.name': 'confirm' } }),
      span(3, 'mcp_tool_call', {
        status: 'ok',
        attributes: { 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.result': { hits: 1 } },
      }),
    ]),
  ).toEqual([
    ['confirm', null, 'unknown'],
    ['search', null, 'succeeded'],
  ]);
});

test('.NET: a tool span that bears the name of the tool alone', () => {
  const scope = 'Experimental.Microsoft.Extensions.AI';
  const extra = { 'gen_ai.tool.name': 'refund', 'gen_ai.tool.call.id': 'c1' };
  expect(
    calls([
      { ...agent, scope },
      { id: 2, parent: 1, scope, name: 'orchestrate_tools' },
      { id: 3, parent: 2, scope, name: 'refund', attributes: extra },
    ]),
  ).toEqual([['refund', 'c1', 'ended']]);
});

test('Microsoft Agent Framework: an id that stands for none is none', () => {
  expect(
    calls([{ ...agent, scope: 'agent_framework' }, tool(2, 'refund', { scope: 'agent_framework', call: 'unknown' })]),
  ).toEqual([['refund', null, 'ended']]);
});

test('Sentry: ops that call a model, a tool, or another agent', () => {
  const span = (id: number, op: string, more: Record<string, unknown> = {}): SmallSpan => ({
    id,
    ...(id === 1 ? {} : { parent: 1 }),
    scope: 'sentry',
    name: op,
    attributes: { 'sentry.op': op, ...more },
  });
  const run = runOf([
    span(1, 'gen_ai.invoke_agent'),
    span(2, 'gen_ai.responses', {
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.input_tokens.cached': 3,
    }),
    span(3, 'gen_ai.execute_tool', {
      'gen_ai.tool.name': 'refund',
      'gen_ai.tool.input': { order: 7 },
      'gen_ai.tool.output': { done: true },
    }),
    span(4, 'gen_ai.handoff'),
  ]);
  expect([run.modelCalls.length, run.usage.cachedInput, run.handoffs.length]).toEqual([1, 3, 1]);
  expect(run.toolCalls.map((call) => [call.name, call.arguments(), call.outcome])).toEqual([
    ['refund', { order: 7 }, 'succeeded'],
  ]);
});

test('OpenAI Agents over OpenInference: a list of a server’s tools is no call', () => {
  const scope = '@arizeai/openinference-instrumentation-openai-agents';
  expect(
    calls([
      oi(1, scope, 'AGENT', 'helper'),
      oi(2, scope, 'TOOL', 'files', { 'output.value': '["read","write"]' }),
      oi(3, scope, 'TOOL', 'read', { 'tool.name': 'read', 'output.value': 'text' }),
      oi(4, scope, 'LLM', 'response'),
    ]).map(([name]) => name),
  ).toEqual(['read']);
});

test('OpenInference: calls among the contents of a message, and the one function of old', () => {
  const scope = 'openinference.instrumentation.langchain';
  const among = {
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.contents.0.message_content.type': 'text',
    'llm.output_messages.0.message.contents.0.message_content.text': 'looking',
    'llm.output_messages.0.message.contents.1.tool_call.id': 'c1',
    'llm.output_messages.0.message.contents.1.tool_call.function.name': 'lookup',
    'llm.output_messages.0.message.contents.1.tool_call.function.arguments': '{"order":7}',
  };
  const old = {
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.function_call_name': 'lookup',
    'llm.output_messages.0.message.function_call_arguments_json': '{"order":7}',
  };
  const read = (attributes: Record<string, unknown>) =>
    runOf([oi(1, scope, 'CHAIN', 'graph'), oi(2, scope, 'LLM', 'm', attributes)])
      .modelCalls[0]?.outputMessages()
      ?.flatMap(({ toolCalls }) => toolCalls);
  expect(read(among)).toEqual([{ kind: 'call', id: 'c1', name: 'lookup', arguments: { order: 7 } }]);
  expect(read(old)).toEqual([{ kind: 'call', id: null, name: 'lookup', arguments: { order: 7 } }]);
});

test('LangSmith: a chain of prompts is no model call; the thread is in the metadata', () => {
  const span = (id: number, kind: string, more: Record<string, unknown> = {}): SmallSpan => ({
    id,
    ...(id === 1 ? {} : { parent: 1 }),
    scope: 'langsmith',
    name: kind,
    attributes: { 'langsmith.span.kind': kind, ...more },
  });
  const run = runOf([
    span(1, 'chain', { 'langsmith.metadata.thread_id': 't1' }),
    span(2, 'prompt', { 'gen_ai.operation.name': 'chat' }),
    span(3, 'llm', {
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.input_token_details': { cache_read: 4 },
    }),
  ]);
  expect([run.conversationId, run.modelCalls.length, run.usage.cachedInput]).toEqual(['t1', 1, 4]);
});

test('Codex: a request is many spans, its usage on the last of them; nothing tells how a tool came out', () => {
  const scope = 'codex_exec';
  const span = (
    id: number,
    parent: number | undefined,
    name: string,
    attributes: Record<string, unknown> = {},
  ): SmallSpan => ({
    id,
    ...(parent === undefined ? {} : { parent }),
    scope,
    name,
    attributes,
  });
  const run = runOf([
    span(1, undefined, 'session_task.turn', { 'turn.id': 't1', model: 'toy' }),
    span(2, 1, 'run_sampling_request', { model: 'toy' }),
    span(3, 2, 'handle_responses'),
    span(4, 2, 'handle_responses', { 'gen_ai.usage.input_tokens': 9, 'gen_ai.usage.output_tokens': 2 }),
    span(5, 1, 'exec_command', { tool_name: 'shell', call_id: 'c1' }),
  ]);
  expect([run.runId, run.modelCalls.length, run.usage.input]).toEqual(['t1', 1, 9]);
  expect(run.toolCalls.map(({ name, callId, outcome }) => [name, callId, outcome])).toEqual([['shell', 'c1', 'ended']]);
  expect([run.visibility.failureMarks, run.visibility.failedToolCalls]).toEqual(['hidden', 'partly']);
});

test('AutoGen: agents and tools, no models, no content', () => {
  const scope = 'autogen-core';
  const run = runOf([{ ...agent, scope }, tool(2, 'refund', { scope })]);
  expect([run.visibility.modelCalls, run.visibility.toolCalls, run.visibility.failureMarks]).toEqual([
    'hidden',
    'shown',
    'partly',
  ]);
  expect(run.toolCalls.map(({ outcome }) => outcome)).toEqual(['ended']);
});

test('MCP below a host: client and server tell of the call that the host tells of', () => {
  const mcp = (id: number, parent: number, name: string): SmallSpan => ({
    id,
    parent,
    scope: 'mcp',
    name,
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'refund',
    },
  });
  const server = { ...mcp(4, 3, 'tools/call refund'), status: 'error' as const };
  expect(
    calls([agent, tool(2, 'refund', { call: 'c1', args: { order: 7 } }), mcp(3, 2, 'tools/call refund'), server]),
  ).toEqual([['refund', 'c1', 'failed']]);
});

test('where each call has a span, one that is answered and has none may not have run', () => {
  const refund = { id: 'c2', name: 'refund', arguments: {} };
  const lookup = { id: 'c1', name: 'lookup', arguments: {} };
  const story = (scope: string) =>
    runOf([
      { ...agent, scope },
      chat(2, { scope, asks: [lookup, refund] }),
      tool(3, 'lookup', { scope, call: 'c1', result: { paid: true } }),
      chat(4, { scope, says: 'no', history: [asked(lookup, refund), answered('c2', 'The user said no.')] }),
    ]);
  const outcomes = (scope: string) =>
    story(scope)
      .toolCalls.map(({ name, outcome }) => [name, outcome])
      .sort();
  expect(outcomes('pydantic-ai')).toEqual([
    ['lookup', 'succeeded'],
    ['refund', 'unknown'],
  ]);
  expect(story('pydantic-ai').visibility.toolCalls).toBe('shown');
  // A package whose failed calls have no span: this may be one of them.
  expect(outcomes('@traceloop/node-server-sdk')).toEqual([
    ['lookup', 'succeeded'],
    ['refund', 'ended'],
  ]);
});
