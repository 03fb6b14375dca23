import { expect, test } from 'vitest';
import { createRunReader } from '../../src/agent/run-reader.ts';
import { agent, answered, asked, chat, collected, runsOf, spanId, tool, traceId } from './small-trace.ts';

const shape = (runs: ReturnType<typeof runsOf>) =>
  runs.map(({ boundary, runId, traces, toolCalls }) => [
    boundary,
    runId,
    traces.map((trace) => trace.traceId),
    toolCalls.length,
  ]);

test('an agent span at the top decides alone, and the run is given back at once', () => {
  const reader = createRunReader();
  const [one] = collected([agent, tool(2, 'a')]);
  expect(shape(reader.add(one === undefined ? [] : [one]))).toEqual([['agent', null, [traceId(1)], 1]]);
  expect(reader.end()).toEqual([]);
});

test('an agent below plain spans is still at the top of what an agent does', () => {
  const runs = runsOf([{ id: 9, name: 'POST /chat', at: [0, 2000] }, { ...agent, parent: 9 }, tool(2, 'a')]);
  expect(shape(runs)).toEqual([['agent', null, [traceId(1)], 1]]);
});

test('traces with one run id are one run', () => {
  const id = { 'otel_eval.run.id': 'r1' };
  const runs = runsOf([
    { ...agent, attributes: { ...agent.attributes, ...id } },
    tool(2, 'a', { trace: 2, parent: undefined, extra: id }),
  ]);
  expect(shape(runs)).toEqual([['run-id', 'r1', [traceId(1), traceId(2)], 1]]);
});

test('traces without a boundary are one heap', () => {
  const runs = runsOf([chat(2, { trace: 1, parent: undefined }), chat(3, { trace: 2, parent: undefined })]);
  expect(shape(runs)).toEqual([['none', null, [traceId(1), traceId(2)], 0]]);
});

test('one run on the word of the user', () => {
  const runs = runsOf([agent, { ...agent, trace: 2 }], { oneRun: true });
  expect(shape(runs)).toEqual([['user', null, [traceId(1), traceId(2)], 0]]);
});

test('by conversation', () => {
  const said = (id: string) => ({ attributes: { ...agent.attributes, 'gen_ai.conversation.id': id } });
  const runs = runsOf(
    [
      { ...agent, ...said('k') },
      { ...agent, trace: 2, ...said('l') },
      { ...agent, trace: 3, ...said('k') },
    ],
    {
      runBy: 'conversation',
    },
  );
  expect(runs.map(({ boundary, conversationId, traces }) => [boundary, conversationId, traces.length])).toEqual([
    ['conversation', 'k', 2],
    ['conversation', 'l', 1],
  ]);
});

test('a plain trace is a run of which nothing can be seen', () => {
  const [run] = runsOf([{ id: 1, name: 'GET /' }]);
  expect([run?.boundary, run?.steps.length, run?.dialects.length, run?.visibility.toolCalls]).toEqual([
    'none',
    0,
    0,
    'hidden',
  ]);
});

test('tool spans in traces of their own join the run that asked for them', () => {
  const first = { id: 'c1', name: 'lookup', arguments: { order: 7 } };
  const spans = [
    agent,
    chat(2, { asks: [first], at: [10, 20] }),
    tool(3, 'lookup', { trace: 2, parent: undefined, args: { order: 7 }, status: 'error', at: [30, 40] }),
    chat(4, { says: 'no', history: [asked(first), answered('c1', 'Error: outage')], at: [50, 60] }),
  ];
  const [run, ...rest] = runsOf(spans);
  expect(rest).toEqual([]);
  expect(
    run?.toolCalls.map(({ outcome, callId, spans: own }) => [outcome, callId, own.map((span) => span.spanId)]),
  ).toEqual([['failed', 'c1', [spanId(3)]]]);
  expect(run?.traces.length).toBe(2);
});

test('a tool span of other arguments, or of another time, is no fragment of the run', () => {
  const first = { id: 'c1', name: 'lookup', arguments: { order: 7 } };
  const run = [agent, chat(2, { asks: [first] }), chat(4, { history: [asked(first), answered('c1', 'x')] })];
  const alone = { trace: 2, parent: undefined } as const;
  expect(runsOf([...run, tool(3, 'lookup', { ...alone, args: { order: 8 } })]).length).toBe(2);
  expect(runsOf([...run, tool(3, 'lookup', { ...alone, args: { order: 7 }, at: [5000, 5001] })]).length).toBe(2);
});
