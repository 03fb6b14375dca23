import { expect, test } from 'vitest';
import { agent, chat, runOf, spanId } from './small-trace.ts';

const spans = (run: ReturnType<typeof runOf>) => run.modelCalls.map((call) => call.spans.map((span) => span.spanId));

test('an agent span repeats the usage of its calls: only the calls count', () => {
  const run = runOf([
    {
      ...agent,
      attributes: { ...agent.attributes, 'gen_ai.usage.input_tokens': 300, 'gen_ai.usage.output_tokens': 30 },
    },
    chat(2, { usage: [100, 10] }),
    chat(3, { usage: [200, 20] }),
  ]);
  expect(run.usage).toEqual({ input: 300, output: 30, cachedInput: null, reasoning: null, coverage: 'part' });
});

test('nested layers of one call are one call', () => {
  const run = runOf([
    agent,
    chat(2, { usage: [100, 10], at: [20, 40] }),
    chat(3, { parent: 2, usage: [100, 10], at: [21, 39] }),
  ]);
  expect(spans(run)).toEqual([[spanId(2), spanId(3)]]);
  expect(run.usage.input).toBe(100);
});

test('a layer around several calls is none of its own', () => {
  const run = runOf([
    agent,
    chat(2, { usage: [300, 30], at: [20, 90] }),
    chat(3, { parent: 2, usage: [100, 10], at: [30, 40] }),
    chat(4, { parent: 2, usage: [200, 20], at: [50, 60] }),
  ]);
  expect(spans(run)).toEqual([[spanId(3)], [spanId(4)]]);
});

test('two spans with one response id at one time are one call, with a remark', () => {
  const id = { 'gen_ai.response.id': 'r-1' };
  const run = runOf([agent, chat(2, { at: [20, 30], extra: id }), chat(3, { at: [20, 30], extra: id })]);
  expect(spans(run)).toEqual([[spanId(2), spanId(3)]]);
  expect(run.remarks).toEqual([
    `spans ${spanId(2)} and ${spanId(3)} share a response id: probably one model call recorded twice`,
  ]);
});

test('one response id on calls of other times or other usage is two calls', () => {
  const id = { 'gen_ai.response.id': 'constant' };
  const apart = runOf([agent, chat(2, { at: [20, 30], extra: id }), chat(3, { at: [40, 50], extra: id })]);
  expect(apart.modelCalls.length).toBe(2);
  const unlike = runOf([
    agent,
    chat(2, { at: [20, 30], extra: id, usage: [1, 2] }),
    chat(3, { at: [20, 30], extra: id, usage: [1, 3] }),
  ]);
  expect(unlike.modelCalls.length).toBe(2);
});

test('missing usage is null and lowers the coverage', () => {
  const run = runOf([agent, chat(2, { usage: [100, 10] }), chat(3)]);
  expect(run.modelCalls.map(({ usage }) => usage?.input ?? null)).toEqual([100, null]);
  expect(run.usage.coverage).toBe('part');
  expect(runOf([agent, chat(2)]).usage).toEqual({
    input: null,
    output: null,
    cachedInput: null,
    reasoning: null,
    coverage: 'none',
  });
});

test.each([
  [['tool-calls'], 'tool_calls'],
  ['["tool_use"]', 'tool_calls'],
  ['end_turn', 'stop'],
  ['FinishReason.MAX_TOKENS', 'length'],
  [['content-filter'], 'content_filter'],
  ['something_new', 'something_new'],
])('finish %j is %s', (raw, word) => {
  const run = runOf([agent, chat(2, { extra: { 'gen_ai.response.finish_reasons': raw } })]);
  expect(run.modelCalls[0]?.finish).toBe(word);
});

test('a finish of error is a failure under any status', () => {
  const run = runOf([agent, chat(2, { status: 'ok', extra: { 'gen_ai.response.finish_reasons': ['error'] } })]);
  expect(run.modelCalls[0]?.outcome).toBe('failed');
});
