import { expect, test } from 'vitest';
import { agent, answered, asked, chat, runOf, spanId, tool } from './small-trace.ts';

const told = (run: ReturnType<typeof runOf>) =>
  run.toolCalls.map(({ name, callId, outcome, spans }) => [name, callId, outcome, spans.map((span) => span.spanId)]);

test('layers of one call are one call: by id, and by name where there is none', () => {
  const run = runOf([
    agent,
    tool(2, 'lookup', { call: 'c1', result: 'a' }),
    tool(3, 'lookup', { call: 'c1', parent: 2, extra: { 'mcp.method.name': 'tools/call' } }),
    tool(4, 'lookup', { result: 'b' }),
    tool(5, 'lookup', { parent: 4 }),
  ]);
  expect(told(run)).toEqual([
    ['lookup', 'c1', 'succeeded', [spanId(2), spanId(3)]],
    ['lookup', null, 'succeeded', [spanId(4), spanId(5)]],
  ]);
});

test('a failure on an inner layer is the failure of the call', () => {
  const run = runOf([
    agent,
    tool(2, 'lookup', { call: 'c1', result: 'a' }),
    tool(3, 'lookup', { call: 'c1', parent: 2, status: 'error' }),
  ]);
  expect(told(run)).toEqual([['lookup', 'c1', 'failed', [spanId(2), spanId(3)]]]);
});

test('a tool that calls another, or itself with other arguments, is two calls', () => {
  const run = runOf([
    agent,
    tool(2, 'outer', { result: 1 }),
    tool(3, 'inner', { parent: 2, result: 1 }),
    tool(4, 'walk', { args: { depth: 1 }, result: 1 }),
    tool(5, 'walk', { args: { depth: 2 }, parent: 4, result: 1 }),
  ]);
  expect(run.toolCalls.map(({ name }) => name)).toEqual(['outer', 'inner', 'walk', 'walk']);
});

test('an agent as a tool is a call, and the calls of that agent are its own', () => {
  const run = runOf([
    agent,
    tool(2, 'ask_expert', { args: { question: 'q' }, result: 'a' }),
    {
      ...agent,
      id: 3,
      parent: 2,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'expert' },
    },
    tool(4, 'ask_expert', { parent: 3, args: { question: 'q' }, result: 'a' }),
  ]);
  expect(run.toolCalls.map(({ name, agent: by }) => [name, by])).toEqual([
    ['ask_expert', 'helper'],
    ['ask_expert', 'expert'],
  ]);
});

test('the waiting and the executing span of an approval are one call', () => {
  const run = runOf([
    agent,
    chat(2, { asks: [{ id: 'c1', name: 'refund', arguments: {} }] }),
    tool(3, 'refund', { call: 'c1', status: 'ok' }),
    tool(4, 'refund', { call: 'c1', result: { done: true } }),
  ]);
  expect(told(run)).toEqual([['refund', 'c1', 'succeeded', [spanId(3), spanId(4)]]]);
});

test('ids that a model gives anew in every turn are other calls', () => {
  const run = runOf([
    agent,
    chat(2, { content: false }),
    tool(3, 'refund', { call: 'call_1' }),
    chat(4, { content: false }),
    tool(5, 'refund', { call: 'call_1' }),
    chat(6, { content: false }),
  ]);
  expect(told(run)).toEqual([
    ['refund', 'call_1', 'ended', [spanId(3)]],
    ['refund', 'call_1', 'ended', [spanId(5)]],
  ]);
});

test('placeholders are no ids', () => {
  const run = runOf([agent, tool(2, 'a', { call: '<not specified>' }), tool(3, 'b', { call: 'unknown' })]);
  expect(run.toolCalls.map(({ callId }) => callId)).toEqual([null, null]);
});

test('a call without a span is read from the next call of the model', () => {
  const first = { id: 'c1', name: 'lookup', arguments: { order: 7 } };
  const run = runOf([
    { ...agent },
    chat(2, { asks: [first] }),
    chat(3, { says: 'done', history: [asked(first), answered('c1', { status: 'sent' })] }),
  ]);
  expect(told(run)).toEqual([['lookup', 'c1', 'succeeded', []]]);
  expect(run.toolCalls[0]?.readFrom).toEqual([`message of ${spanId(2)}`, `message of ${spanId(3)}`]);
  expect(run.toolCalls[0]?.arguments()).toEqual({ order: 7 });
  expect(run.toolCalls[0]?.evidence).toEqual(['message']);
});

test('plain text in a message is neither success nor failure; a structure or a mark is', () => {
  const outcome = (response: unknown, more = {}) => {
    const call = { id: 'c1', name: 'lookup' };
    return runOf([
      agent,
      chat(2, { asks: [call] }),
      chat(3, { history: [asked(call), answered('c1', response, more)] }),
    ]).toolCalls[0]?.outcome;
  };
  expect(outcome('Error: outage')).toBe('ended');
  expect(outcome([{ type: 'text', text: 'Error: outage' }])).toBe('ended');
  expect(outcome({ error: 'outage' })).toBe('failed');
  expect(outcome({ status: 'sent' })).toBe('succeeded');
  expect(outcome('outage', { is_error: true })).toBe('failed');
  expect(outcome('sunny', { is_error: false })).toBe('succeeded');
});

test('calls without ids are told apart by their arguments and their turn', () => {
  const call = { name: 'lookup', arguments: { order: 7 } };
  const run = runOf([
    agent,
    chat(2, { asks: [{ ...call, id: 'c1' }] }),
    chat(3, {
      asks: [{ ...call, id: 'c2' }],
      history: [asked({ ...call, id: 'c1' }), answered('c1', 'Error: outage')],
    }),
    tool(4, 'lookup', { args: { order: 7 }, result: { status: 'sent' } }),
    chat(5, { says: 'done' }),
  ]);
  expect(told(run)).toEqual([
    ['lookup', 'c1', 'ended', []],
    ['lookup', 'c2', 'succeeded', [spanId(4)]],
  ]);
  expect(run.toolCalls.map(({ operation, attempt }) => [operation, attempt])).toEqual([
    [1, 1],
    [1, 2],
  ]);
});

test('asked for and not run, beside calls that have spans', () => {
  const run = runOf([
    agent,
    chat(2, {
      asks: [
        { id: 'c1', name: 'stock' },
        { id: 'c2', name: 'price' },
      ],
    }),
    tool(3, 'stock', { call: 'c1', result: 3 }),
  ]);
  expect(told(run)).toEqual([['stock', 'c1', 'succeeded', [spanId(3)]]]);
  expect(run.requestedNotRun).toEqual([{ name: 'price', callId: 'c2' }]);
  expect(run.visibility.toolCalls).toBe('partly');
});

test('asked for where no tool span tells of anything: it may have run', () => {
  const run = runOf([agent, chat(2, { asks: [{ id: 'c1', name: 'price' }] })]);
  expect(told(run)).toEqual([['price', 'c1', 'unknown', []]]);
  expect(run.requestedNotRun).toEqual([]);
});

test('passing control on is a handoff, not a call', () => {
  const run = runOf([
    agent,
    chat(2, { asks: [{ id: 'c1', name: 'transfer_to_refunds' }] }),
    tool(3, 'transfer_to_refunds', { call: 'c1', result: 'ok' }),
    tool(4, 'delegate_work', { call: 'c2', result: 'ok' }),
  ]);
  expect(run.toolCalls.map(({ name }) => name)).toEqual(['delegate_work']);
  expect(run.handoffs.map(({ from, to }) => [from, to])).toEqual([['helper', 'refunds']]);
});

test('definitions of tools are not calls', () => {
  const run = runOf([
    agent,
    chat(2, { says: 'hi', extra: { 'gen_ai.tool.definitions': [{ type: 'function', name: 'refund' }] } }),
  ]);
  expect(run.toolCalls).toEqual([]);
});

test('tries of one operation: same tool and same arguments in any order of keys', () => {
  const run = runOf([
    agent,
    tool(2, 'refund', { args: '{"a":1,"b":2}', status: 'error' }),
    tool(3, 'refund', { args: '{"b":2,"a":1}', result: 1 }),
    tool(4, 'refund', { args: '{"b":3,"a":1}', result: 1 }),
  ]);
  expect(run.toolCalls.map(({ operation, attempt }) => [operation, attempt])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ]);
});

test('arguments that are not visible leave the attempt unknown, also of later calls of that tool', () => {
  const run = runOf([agent, tool(2, 'refund', { status: 'error' }), tool(3, 'refund', { args: { a: 1 }, result: 1 })]);
  expect(run.toolCalls.map(({ attempt }) => attempt)).toEqual([null, null]);
});

test('calls of one turn are a parallel group', () => {
  const run = runOf([
    agent,
    chat(2, { content: false }),
    tool(3, 'a', { at: [30, 60] }),
    tool(4, 'b', { at: [31, 50] }),
    chat(7, { content: false }),
    tool(8, 'c'),
  ]);
  expect(run.toolCalls.map(({ name, parallelGroup }) => [name, parallelGroup])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', null],
  ]);
});

test('what a framework adds to the arguments is no argument', () => {
  const run = runOf([
    agent,
    chat(2, { asks: [{ id: 'c1', name: 'refund', arguments: { order: 7 } }] }),
    tool(3, 'refund', { call: 'c1', args: { order: 7, runtime: { user: 'u' } }, result: 1 }),
  ]);
  expect(run.toolCalls[0]?.arguments()).toEqual({ order: 7 });
});

test('calls of one turn that cannot be told apart are as many as their spans', () => {
  const asks = ['c1', 'c2', 'c3'].map((id) => ({ id, name: 'lookup' }));
  const run = runOf([
    agent,
    chat(2, { asks }),
    tool(3, 'lookup', { result: 'a' }),
    tool(4, 'lookup', { status: 'error' }),
    chat(5, { history: [asked(...asks), ...['c1', 'c2', 'c3'].map((id) => answered(id, undefined))], says: 'done' }),
  ]);
  expect(run.toolCalls.map(({ name, spans, parallelGroup }) => [name, spans.length, parallelGroup])).toEqual([
    ['lookup', 0, 1],
    ['lookup', 1, 1],
    ['lookup', 1, 1],
  ]);
});
