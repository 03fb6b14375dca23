import { expect, test } from 'vitest';
import { runOf, runsOf, type SmallSpan } from './small-trace.ts';

const calls = (spans: readonly SmallSpan[]) =>
  runsOf(spans).flatMap(({ toolCalls }) => toolCalls.map(({ name, callId, outcome }) => [name, callId, outcome]));

test('AI SDK: the tool is in an attribute, a denied call has a result of its own kind', () => {
  const scope = 'ai';
  const root = { id: 1, scope, name: 'ai.generateText', attributes: { 'ai.operationId': 'ai.generateText' } };
  const call = (id: number, callId: string, result: unknown): SmallSpan => ({
    id,
    parent: 1,
    scope,
    name: 'ai.toolCall',
    attributes: {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'refund',
      'ai.toolCall.id': callId,
      'ai.toolCall.result': result,
    },
  });
  expect(calls([root, call(2, 'c1', { done: true }), call(3, 'c2', { type: 'execution-denied' })])).toEqual([
    ['refund', 'c1', 'succeeded'],
    ['refund', 'c2', 'denied'],
  ]);
});

test('ADK: merged spans are no call, a span without attributes is one, a waiting call did not run', () => {
  const scope = 'gcp.vertex.agent';
  const tool = (id: number, name: string, attributes: Record<string, unknown>): SmallSpan => ({
    id,
    parent: 1,
    scope,
    name: `execute_tool ${name}`,
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, ...attributes },
  });
  const run = runOf([
    { id: 1, scope, name: 'invocation' },
    { id: 2, parent: 1, scope, name: 'execute_tool lookup' },
    tool(3, '(merged tools)', { 'gcp.vertex.agent.tool_response': { error: 'x' } }),
    tool(4, 'refund', {
      'gen_ai.tool.call.id': 'c2',
      'gcp.vertex.agent.tool_response': { error: 'This tool call requires confirmation, please approve or reject.' },
    }),
  ]);
  expect(run.toolCalls.map(({ name }) => name)).toEqual(['lookup']);
  expect(run.requestedNotRun).toEqual([{ name: 'refund', callId: 'c2' }]);
});

test('LangSmith: an exception event under status OK is a failure', () => {
  const scope = 'langsmith';
  expect(
    calls([
      { id: 1, scope, name: 'agent', attributes: { 'langsmith.span.kind': 'chain' } },
      {
        id: 2,
        parent: 1,
        scope,
        name: 'lookup',
        status: 'ok',
        attributes: { 'langsmith.span.kind': 'tool' },
        events: [{ name: 'exception', attributes: { 'exception.type': 'Error' } }],
      },
    ]),
  ).toEqual([['lookup', null, 'failed']]);
});

test('Langfuse: the level tells of failures, an interrupt is none; cached tokens are counted back in', () => {
  const scope = 'langfuse-sdk';
  const observed = (id: number, type: string, more: Record<string, unknown> = {}): SmallSpan => ({
    id,
    ...(id === 1 ? {} : { parent: 1 }),
    scope,
    name: type === 'tool' ? `tool-${id}` : 'agent',
    attributes: { 'langfuse.observation.type': type, ...more },
  });
  const run = runOf([
    observed(1, 'span', { 'langfuse.observation.metadata.langgraph_node': 'agent' }),
    observed(2, 'generation', {
      'langfuse.observation.usage_details': {
        input: 40,
        output: 5,
        total: 111,
        input_cache_read: 60,
        output_reasoning: 6,
      },
    }),
    observed(3, 'tool', {
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'Error: outage',
    }),
    observed(4, 'tool', {
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'GraphInterrupt: []',
    }),
    observed(5, 'tool', { 'langfuse.observation.output': { status: 'sent' } }),
  ]);
  expect(run.toolCalls.map(({ outcome }) => outcome)).toEqual(['failed', 'unknown', 'succeeded']);
  expect(run.usage).toEqual({ input: 100, output: 11, cachedInput: 60, reasoning: 6, coverage: 'all' });
});

test('OpenInference with LangChain: the call id and the failure are inside the serialised message', () => {
  const scope = '@arizeai/openinference-instrumentation-langchain';
  const kwargs = { content: 'no such order', tool_call_id: 'c1', name: 'lookup', status: 'error' };
  expect(
    calls([
      { id: 1, scope, name: 'LangGraph', attributes: { 'openinference.span.kind': 'CHAIN' } },
      {
        id: 2,
        parent: 1,
        scope,
        name: 'lookup',
        attributes: {
          'openinference.span.kind': 'TOOL',
          'output.value': {
            output: { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'ToolMessage'], kwargs },
          },
        },
      },
    ]),
  ).toEqual([['lookup', 'c1', 'failed']]);
});

test('Claude Code: success is text; the execution below the tool is the same call', () => {
  const scope = 'com.anthropic.claude_code.tracing';
  expect(
    calls([
      { id: 1, scope, name: 'claude_code.interaction' },
      { id: 2, parent: 1, scope, name: 'claude_code.tool', attributes: { tool_name: 'Bash', tool_use_id: 'c1' } },
      { id: 3, parent: 2, scope, name: 'claude_code.tool.execution', attributes: { success: 'false' } },
    ]),
  ).toEqual([['Bash', 'c1', 'failed']]);
});

test('BeeAI: start, success and finish are one call', () => {
  const scope = '@arizeai/openinference-instrumentation-beeai';
  const event = (id: number, word: string, more: Record<string, unknown> = {}): SmallSpan => ({
    id,
    parent: 1,
    scope,
    name: `tool.dynamic.lookup.${word}-0`,
    attributes: { 'openinference.span.kind': 'TOOL', target: `tool.dynamic.lookup.${word}`, ...more },
  });
  expect(
    calls([
      { id: 1, scope, name: 'beeai-framework-main', attributes: { 'openinference.span.kind': 'AGENT' } },
      event(2, 'start', { 'tool.parameters': { order: 7 } }),
      event(3, 'success', { 'output.value': { status: 'sent' } }),
      event(4, 'finish'),
    ]),
  ).toEqual([['lookup', null, 'succeeded']]);
});

test('OpenAI Agents: the last call may wait for a person, and then the run may have gone on unseen', () => {
  const scope = 'openinference.instrumentation.openai_agents';
  const node = (id: number, kind: string, name: string, more: Record<string, unknown> = {}): SmallSpan => ({
    id,
    ...(id === 1 ? {} : { parent: 1 }),
    scope,
    name,
    attributes: { 'openinference.span.kind': kind, ...more },
  });
  const lookup = node(3, 'TOOL', 'lookup');
  const waiting = runOf([node(1, 'AGENT', 'helper'), node(2, 'LLM', 'response'), lookup]);
  expect(waiting.toolCalls.map(({ outcome }) => outcome)).toEqual(['unknown']);
  expect([waiting.visibility.toolCalls, waiting.visibility.modelCalls]).toEqual(['partly', 'partly']);
  const goneOn = runOf([node(1, 'AGENT', 'helper'), node(2, 'LLM', 'response'), lookup, node(4, 'LLM', 'response')]);
  expect(goneOn.toolCalls.map(({ outcome }) => outcome)).toEqual(['ended']);
});

test('a resumed run is one run, and its waiting call one call', () => {
  const scope = 'pydantic-ai';
  const root = (trace: number, at: readonly [number, number]): SmallSpan => ({
    id: 1,
    trace,
    scope,
    name: 'invoke_agent helper',
    at,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' },
  });
  const tool = (trace: number, at: readonly [number, number], more: Record<string, unknown>): SmallSpan => ({
    id: 2,
    parent: 1,
    trace,
    scope,
    name: 'execute_tool refund',
    at,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'refund',
      'gen_ai.tool.call.id': 'c1',
      ...more,
    },
  });
  const runs = runsOf([
    root(1, [0, 100]),
    tool(1, [50, 60], { 'pydantic_ai.tool.deferral.name': 'ApprovalRequired' }),
    root(2, [200, 300]),
    tool(2, [210, 220], { 'gen_ai.tool.call.result': { done: true } }),
  ]);
  expect(runs.map(({ traces, toolCalls }) => [traces.length, toolCalls.map(({ outcome }) => outcome)])).toEqual([
    [2, ['succeeded']],
  ]);
});

test('ADK: a call that waited and then bears TOOL_ERROR alone failed, or a person refused it: nobody knows', () => {
  const scope = 'gcp.vertex.agent';
  const root = (trace: number, at: readonly [number, number]): SmallSpan => ({
    id: 1,
    trace,
    scope,
    name: 'invoke_agent helper',
    at,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': 'k' },
  });
  const refund = (trace: number, at: readonly [number, number], more: Partial<SmallSpan> = {}): SmallSpan => ({
    id: 2,
    parent: 1,
    trace,
    scope,
    name: 'execute_tool refund',
    at,
    ...more,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'refund',
      'gen_ai.tool.call.id': 'c1',
      ...more.attributes,
    },
  });
  const refused = { status: 'error', attributes: { 'error.type': 'TOOL_ERROR' } } as const;
  const story = (more: Partial<SmallSpan>) => [
    root(1, [0, 100]),
    refund(1, [50, 60]),
    root(2, [200, 300]),
    refund(2, [210, 220], more),
  ];
  expect(calls(story(refused))).toEqual([['refund', 'c1', 'unknown']]);
  const raised = [{ name: 'exception', attributes: { 'exception.type': 'RuntimeError' } }];
  expect(calls(story({ ...refused, events: raised }))).toEqual([['refund', 'c1', 'failed']]);
  expect(calls(story({}))).toEqual([['refund', 'c1', 'ended']]);
  expect(calls([root(1, [0, 100]), refund(1, [50, 60], refused)])).toEqual([['refund', 'c1', 'failed']]);
});
