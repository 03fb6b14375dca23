import { expect, test } from 'vitest';
import { agent, chat, runOf, runsOf, type SmallSpan, tool } from './small-trace.ts';

const kinds = (spans: readonly SmallSpan[]) =>
  runsOf(spans).flatMap(({ humanInputs }) => humanInputs.map(({ kind }) => kind));

test('our helpers name the kind', () => {
  const person = (id: number, kind: string): SmallSpan => ({
    id,
    parent: 1,
    scope: 'otel-eval',
    name: `human_input ${kind}`,
    attributes: { 'gen_ai.operation.name': 'human_input' },
  });
  expect(
    kinds([{ ...agent, scope: 'otel-eval' }, person(2, 'message'), person(3, 'approval'), person(4, 'edit')]),
  ).toEqual(['message', 'approval', 'edit']);
});

test.each([
  ['AI SDK 7', { type: 'tool_approval_response', approval_id: 'a1', approved: true }],
  ['AI SDK 6', { type: 'tool-approval-response', approvalId: 'a1', approved: false }],
  ['Microsoft Agent Framework', { type: 'function_approval_response', id: 'a1', approved: true }],
  ['Strands', { interruptResponse: { interruptId: 'a1', response: 'yes' } }],
  ['OpenAI Responses, hosted MCP', { type: 'mcp_approval_response', approval_request_id: 'a1', approve: true }],
])('%s: a decision among the messages counts once, however often histories repeat it', (_, part) => {
  const history = [{ role: 'user', parts: [part] }];
  expect(kinds([agent, chat(2, { says: 'x', history }), chat(3, { says: 'y', history })])).toEqual(['approval']);
  expect(
    kinds([
      agent,
      chat(2, { says: 'x', history: [{ role: 'user', parts: [{ type: 'text', content: 'approve it' }] }] }),
    ]),
  ).toEqual([]);
});

test('a call that waited and went on was approved; one that only waits was not', () => {
  const scope = 'pydantic-ai';
  const waits = { call: 'c1', scope, extra: { 'pydantic_ai.tool.deferral.name': 'ApprovalRequired' } };
  const first = [{ ...agent, scope, at: [0, 100] as const }, tool(2, 'refund', { ...waits, at: [50, 60] })];
  expect(kinds(first)).toEqual([]);
  expect(
    kinds([
      ...first,
      { ...agent, scope, trace: 2, at: [200, 300] },
      tool(3, 'refund', { trace: 2, scope, call: 'c1', result: { done: true }, at: [210, 220] }),
    ]),
  ).toEqual(['approval']);
});

test('MCP: a server that asks the user', () => {
  const ask: SmallSpan = {
    id: 2,
    parent: 1,
    scope: 'mcp',
    name: 'elicitation/create',
    attributes: { 'mcp.method.name': 'elicitation/create' },
  };
  expect(kinds([agent, ask])).toEqual(['approval']);
});

test('what calls cost is what the trace says, and nothing where it says nothing', () => {
  const costs = (...extra: readonly Record<string, unknown>[]) =>
    runOf([
      { ...agent, scope: 'pydantic-ai' },
      ...extra.map((more, i) => chat(i + 2, { scope: 'pydantic-ai', says: 'x', extra: more })),
    ]).cost;
  expect(costs({}, {})).toBeNull();
  expect(costs({ 'operation.cost': 0.25 }, { 'operation.cost': 0.5 })).toEqual({
    amount: 0.75,
    currency: null,
    coverage: 'all',
  });
  expect(costs({ 'operation.cost': 0.25 }, {})).toEqual({ amount: 0.25, currency: null, coverage: 'part' });
  const inEuro = { 'gen_ai.usage.cost.amount': 1, 'gen_ai.usage.cost.currency': 'EUR' };
  expect(costs(inEuro)).toEqual({ amount: 1, currency: 'EUR', coverage: 'all' });
  expect(costs(inEuro, { 'operation.cost': 1 })).toBeNull();
});

test('Langfuse and OpenInference: costs by their own keys', () => {
  const langfuse = (attributes: Record<string, unknown>, id = 2): SmallSpan => ({
    id,
    ...(id === 1 ? {} : { parent: 1 }),
    scope: 'langfuse-sdk',
    name: 'm',
    attributes,
  });
  const generation = {
    'langfuse.observation.type': 'generation',
    'langfuse.observation.cost_details': { input: 0.25, output: 0.5 },
  };
  expect(runOf([langfuse({ 'langfuse.observation.type': 'span' }, 1), langfuse(generation)]).cost?.amount).toBe(0.75);
  const llm = { 'openinference.span.kind': 'LLM', 'llm.cost.total': 0.5 };
  const scope = 'openinference.instrumentation.langchain';
  expect(
    runOf([
      { id: 1, scope, name: 'graph', attributes: { 'openinference.span.kind': 'CHAIN' } },
      { id: 2, parent: 1, scope, name: 'm', attributes: llm },
    ]).cost,
  ).toEqual({ amount: 0.5, currency: null, coverage: 'all' });
});
