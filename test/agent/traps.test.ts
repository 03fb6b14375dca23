import { describe, expect, test } from 'vitest';
import { agent, answered, asked, chat, runOf, type SmallSpan, spanId, tool } from './small-trace.ts';

// Every trap that the conventions are known for, one test each, by its name.

const outcomes = (spans: readonly SmallSpan[]) => runOf(spans).toolCalls.map(({ name, outcome }) => [name, outcome]);

describe('failure is not status', () => {
  test.each<readonly [string, string, Partial<SmallSpan>]>([
    [
      'MCP isError under OK',
      'x',
      { status: 'ok', attributes: { 'gen_ai.tool.call.result': { isError: true, content: [] } } },
    ],
    ['error.type under UNSET', 'x', { attributes: { 'error.type': 'tool_error' } }],
    [
      'an exception event under OK',
      'x',
      { status: 'ok', events: [{ name: 'exception', attributes: { 'exception.type': 'E' } }] },
    ],
    ['Strands: gen_ai.tool.status', 'strands-agents', { status: 'ok', attributes: { 'gen_ai.tool.status': 'error' } }],
    [
      'LiveKit: is_error',
      'livekit-agents',
      { name: 'function_tool', attributes: { 'lk.function_tool.is_error': true } },
    ],
    [
      'Haystack: haystack.tool.error',
      'x',
      { name: 'haystack.agent.step.tool', attributes: { 'haystack.tool.name': 'lookup', 'haystack.tool.error': true } },
    ],
    [
      'Claude Code: success is the text false',
      'com.anthropic.claude_code.tracing',
      { name: 'claude_code.tool.execution', attributes: { success: 'false' } },
    ],
    [
      'LangSmith: OK was set first and is final',
      'langsmith',
      { status: 'ok', events: [{ name: 'exception' }], attributes: { 'langsmith.span.kind': 'tool' } },
    ],
    [
      'Langfuse: level ERROR',
      'langfuse-sdk',
      { attributes: { 'langfuse.observation.type': 'tool', 'langfuse.observation.level': 'ERROR' } },
    ],
  ])('%s', (_, scope, more) => {
    const span: SmallSpan = {
      id: 2,
      parent: 1,
      scope,
      name: 'execute_tool lookup',
      ...more,
      attributes: { 'gen_ai.operation.name': 'execute_tool', ...more.attributes },
    };
    expect(outcomes([agent, span]).map(([, outcome]) => outcome)).toEqual(['failed']);
  });
});

describe('control flow is no failure', () => {
  test.each([
    ['LangGraph in Python', 'openinference.instrumentation.langchain', 'langgraph.errors.GraphInterrupt'],
    ['LangGraph in JavaScript', '@arizeai/openinference-instrumentation-langchain', 'GraphInterrupt'],
    ['LangGraph, a command to the parent', 'openinference.instrumentation.langchain', 'langgraph.errors.ParentCommand'],
    ['Genkit', 'genkit-tracer', 'ToolInterruptError'],
    ['pydantic-ai', 'pydantic-ai', 'pydantic_ai.exceptions.ApprovalRequired'],
    ['LlamaIndex', 'openinference.instrumentation.llama_index', 'workflows.errors.WaitingForEvent'],
  ])('%s', (_, scope, type) => {
    const span: SmallSpan = {
      id: 2,
      parent: 1,
      scope,
      name: 'lookup',
      status: 'error',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'openinference.span.kind': 'TOOL',
        'genkit:metadata:subtype': 'tool',
        'gen_ai.tool.name': 'lookup',
      },
      events: [{ name: 'exception', attributes: { 'exception.type': type } }],
    };
    const root = {
      ...agent,
      scope,
      attributes: { ...agent.attributes, 'openinference.span.kind': 'AGENT', 'genkit:type': 'flow' },
    };
    expect(outcomes([root, span]).map(([, outcome]) => outcome)).toEqual(['unknown']);
  });

  test('a handoff on an ERROR span is a handoff', () => {
    const scope = 'opentelemetry.instrumentation.openai_agents';
    const handoff: SmallSpan = {
      id: 2,
      parent: 1,
      scope,
      name: 'agent_handoff triage',
      status: 'error',
      attributes: { 'gen_ai.handoff.from_agent': 'triage', 'gen_ai.handoff.to_agent': 'refunds' },
    };
    const run = runOf([{ ...agent, scope }, handoff]);
    expect([run.toolCalls.length, run.handoffs.map(({ from, to }) => [from, to])]).toEqual([
      0,
      [['triage', 'refunds']],
    ]);
  });
});

describe('spans that are no call, and calls that are several spans', () => {
  test('a merged span of parallel calls is none', () => {
    const scope = 'gcp.vertex.agent';
    const merged = tool(3, '(merged tools)', { scope, call: '(merged tools)' });
    expect(outcomes([{ ...agent, scope }, tool(2, 'a', { scope, result: 1 }), merged])).toEqual([['a', 'succeeded']]);
  });

  test('an event written down as a span is none', () => {
    const scope = 'openinference.instrumentation.beeai';
    const event = (id: number, word: string): SmallSpan => ({
      id,
      parent: 1,
      scope,
      name: word,
      attributes: { 'openinference.span.kind': 'TOOL', target: `tool.dynamic.a.${word}`, 'tool.name': 'a' },
    });
    const root = { ...agent, scope, attributes: { 'openinference.span.kind': 'AGENT' } };
    expect(outcomes([root, event(2, 'success'), event(3, 'finish')]).length).toBe(1);
  });

  test('tool definitions, and tools that an agent lists, are no calls', () => {
    const definitions = [{ type: 'function', name: 'refund', parameters: { type: 'object' } }];
    const extra = {
      'gen_ai.tool.definitions': definitions,
      'gen_ai.agent.tools': ['refund'],
      'llm.request.functions.0.name': 'refund',
    };
    const run = runOf([agent, chat(2, { says: 'no', extra })]);
    expect([run.toolCalls, run.requestedNotRun]).toEqual([[], []]);
  });

  test('an MCP client below execute_tool is the same call, one beside it with other arguments is another', () => {
    const mcp = (id: number, parent: number, order: number): SmallSpan => ({
      id,
      parent,
      scope: 'mcp',
      name: 'tools/call refund',
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'refund',
        'gen_ai.tool.call.arguments': { order },
      },
    });
    const host = tool(2, 'refund', { call: 'c1', args: { order: 7 }, at: [20, 60] });
    expect(runOf([agent, host, mcp(3, 2, 7)]).toolCalls.map(({ spans }) => spans.map((span) => span.spanId))).toEqual([
      [spanId(2), spanId(3)],
    ]);
    expect(runOf([agent, host, mcp(3, 2, 8)]).toolCalls.length).toBe(2);
  });

  test('handoffs and the framework’s own tools count among no tool calls', () => {
    const scope = 'pydantic-ai';
    const run = runOf([
      { ...agent, scope },
      tool(2, 'transfer_to_refunds', { scope }),
      tool(3, 'final_result', { scope }),
      tool(4, 'lookup', { scope }),
    ]);
    expect(run.toolCalls.map(({ name }) => name)).toEqual(['lookup']);
    expect(run.handoffs.map(({ to }) => to)).toEqual(['refunds']);
  });
});

describe('tokens are counted once', () => {
  const usage = (input: number, output: number) => ({
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
  });

  test('an agent’s span repeats its model calls', () => {
    const root = { ...agent, attributes: { ...agent.attributes, ...usage(300, 30) } };
    expect(runOf([root, chat(2, { usage: [100, 10] }), chat(3, { usage: [200, 20] })]).usage.input).toBe(300);
  });

  test('ADK nests two model spans with the same usage', () => {
    const scope = 'gcp.vertex.agent';
    const inner: SmallSpan = {
      id: 3,
      parent: 2,
      scope,
      name: 'generate_content toy',
      attributes: { 'gen_ai.operation.name': 'generate_content', ...usage(100, 10) },
    };
    const outer: SmallSpan = {
      id: 2,
      parent: 1,
      scope,
      name: 'call_llm',
      attributes: { 'gcp.vertex.agent.event_id': 'e', ...usage(100, 10) },
    };
    const run = runOf([{ ...agent, scope }, outer, inner]);
    expect([run.modelCalls.length, run.usage.input, run.usage.output]).toEqual([1, 100, 10]);
  });

  test('a gateway mirrors a call under the same response id', () => {
    const id = { 'gen_ai.response.id': 'r1' };
    const run = runOf([
      agent,
      chat(2, { usage: [100, 10], extra: id }),
      chat(3, { usage: [100, 10], extra: id, scope: 'gateway' }),
    ]);
    expect([run.modelCalls.length, run.usage.input]).toEqual([1, 100]);
  });

  test('the total of an agent stands where no call reports', () => {
    const root = {
      ...agent,
      scope: 'pydantic-ai',
      attributes: {
        ...agent.attributes,
        'gen_ai.aggregated_usage.input_tokens': 300,
        'gen_ai.aggregated_usage.output_tokens': 30,
      },
    };
    expect(runOf([root]).usage).toMatchObject({ input: 300, output: 30 });
  });

  test('Claude Code counts cached tokens apart, Langfuse too; the conventions count them in', () => {
    const claude: SmallSpan = {
      id: 2,
      parent: 1,
      scope: 'com.anthropic.claude_code.tracing',
      name: 'claude_code.llm_request',
      attributes: { input_tokens: 10, output_tokens: 2, cache_read_tokens: 80, cache_creation_tokens: 5 },
    };
    expect(runOf([agent, claude]).usage).toMatchObject({ input: 95, cachedInput: 80 });
    const semconv = chat(2, {
      usage: [95, 2],
      extra: { 'gen_ai.usage.cache_read.input_tokens': 80, 'gen_ai.usage.cache_write.input_tokens': 5 },
    });
    expect(runOf([agent, semconv]).usage).toMatchObject({ input: 95, cachedInput: 80 });
  });
});

describe('ids that stand for none', () => {
  test.each(['<not specified>', 'unknown', '(merged tools)'])('%s', (id) => {
    const call = { id: 'c1', name: 'a', arguments: { x: 1 } };
    const run = runOf([agent, chat(2, { asks: [call] }), tool(3, 'a', { call: id, args: { x: 1 }, result: 1 })]);
    expect(run.toolCalls.map(({ callId, spans }) => [callId, spans.length])).toEqual([['c1', 1]]);
  });
});

describe('arguments in whatever form are the same arguments', () => {
  const forms: readonly (readonly [string, unknown])[] = [
    ['JSON text', '{"order":7,"deep":{"a":[1]}}'],
    ['JSON text twice', JSON.stringify('{"order":7,"deep":{"a":[1]}}')],
    ['another order of keys', '{"deep":{"a":[1]},"order":7}'],
    [
      'a structure',
      new Map<string, unknown>([
        ['order', 7],
        ['deep', new Map([['a', [1]]])],
      ]),
    ],
    [
      'a structure with 64-bit integers',
      new Map<string, unknown>([
        ['order', 7n],
        ['deep', new Map([['a', [1n]]])],
      ]),
    ],
  ];
  test.each(forms)('%s', (_, form) => {
    // A structure stays one: only plain objects become text in these sketches.
    const spans = [
      agent,
      tool(2, 'a', { extra: {} }),
      tool(3, 'a', { args: { order: 7, deep: { a: [1] } }, result: 1 }),
    ];
    const run = runOf(spans.map((span) => (span.id === 2 ? withRaw(span, form) : span)));
    expect(run.toolCalls.map(({ operation, attempt }) => [operation, attempt])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  function withRaw(span: SmallSpan, form: unknown): SmallSpan {
    return { ...span, raw: { 'gen_ai.tool.call.arguments': form } };
  }
});

describe('a run that waits for a person', () => {
  test('is one run with the trace that goes on', () => {
    const scope = 'pydantic-ai';
    const waits = {
      call: 'c1',
      scope,
      extra: { 'pydantic_ai.tool.deferral.name': 'ApprovalRequired' },
      at: [50, 60] as const,
    };
    const run = runOf([
      { ...agent, scope, at: [0, 100] },
      tool(2, 'refund', waits),
      { ...agent, scope, trace: 2, at: [200, 300] },
      tool(3, 'refund', { trace: 2, scope, call: 'c1', result: { done: true }, at: [210, 220] }),
    ]);
    expect([run.traces.length, run.toolCalls.map(({ outcome }) => outcome)]).toEqual([2, ['succeeded']]);
  });
});

describe('answers under `result` and `response`, thoughts under `thinking` and `reasoning`', () => {
  test.each(['response', 'result', 'output', 'content'])('%s', (key) => {
    const call = { id: 'c1', name: 'a', arguments: {} };
    const part = { type: 'tool_call_response', id: 'c1', [key]: { done: true } };
    const run = runOf([
      agent,
      chat(2, { asks: [call] }),
      chat(3, { history: [asked(call), { role: 'user', parts: [part] }] }),
    ]);
    expect(run.toolCalls.map((one) => one.result())).toEqual([{ done: true }]);
  });

  test.each(['thinking', 'reasoning', 'redacted_thinking'])('%s is not what was said', (type) => {
    const parts = [
      { type, content: 'secret', text: 'secret' },
      { type: 'text', content: 'hello' },
    ];
    const run = runOf([agent, chat(2, { extra: { 'gen_ai.output.messages': [{ role: 'assistant', parts }] } })]);
    expect(run.modelCalls[0]?.outputMessages()?.[0]?.text).toBe('hello');
  });
});

test('a text that a redactor left is absence', () => {
  for (const placeholder of ['__REDACTED__', '<REDACTED>', 'readacted']) {
    expect(outcomes([agent, tool(2, 'a', { result: placeholder })])).toEqual([['a', 'ended']]);
  }
});

test('the name of a workflow is the name of its agent', () => {
  const spans = [
    {
      id: 1,
      name: 'invoke_workflow',
      attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': 'triage' },
    },
  ];
  expect(runOf(spans).agent).toBe('triage');
});

test('a message of words that sound like a failure is none', () => {
  const call = { id: 'c1', name: 'a', arguments: {} };
  const run = runOf([
    agent,
    chat(2, { asks: [call] }),
    tool(3, 'a', { call: 'c1' }),
    chat(4, { history: [asked(call), answered('c1', 'Error: a song')] }),
  ]);
  expect(run.toolCalls.map(({ outcome }) => outcome)).toEqual(['succeeded']);
});
