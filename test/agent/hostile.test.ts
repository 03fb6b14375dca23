import { expect, test } from 'vitest';
import { agent, chat, runOf, type SmallSpan, tool } from './small-trace.ts';

test('arguments nested without end are no arguments, and nothing throws', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const run = runOf([agent, tool(2, 'a', { args: deep, result: deep }), tool(3, 'a', { args: deep, result: deep })]);
  expect(run.toolCalls.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
    ['succeeded', 1],
    ['succeeded', 2],
  ]);
  expect(typeof run.toolCalls[0]?.arguments()).toBe('string');
});

test('broken JSON, wrong types and empty values are read as far as they go', () => {
  const odd: Record<string, unknown> = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.finish_reasons': 7,
    'gen_ai.usage.input_tokens': 'many',
    'gen_ai.output.messages':
      '[{"role":"assistant","parts":[{"type":"tool_call"},null,3,{"type":"tool_call","name":""}',
    'gen_ai.input.messages': '{"role":',
  };
  const run = runOf([agent, { id: 2, parent: 1, name: 'chat', attributes: odd }, tool(3, '', { call: '', args: '' })]);
  expect([run.modelCalls.length, run.toolCalls.length, run.usage.coverage]).toEqual([1, 1, 'none']);
});

test('parents in a circle and a span that is its own parent', () => {
  const run = runOf([
    { ...tool(1, 'a'), parent: 2 },
    { ...tool(2, 'b'), parent: 1 },
    { ...chat(3), parent: 3 },
  ]);
  expect([run.toolCalls.length, run.modelCalls.length]).toEqual([2, 1]);
});

test('a long chain of layers is read in linear time', () => {
  const chain: SmallSpan[] = [agent];
  for (let id = 2; id < 20_000; id += 1) {
    chain.push({
      id,
      parent: id - 1,
      name: 'plan',
      at: [id, 100_000],
      attributes: { 'gen_ai.operation.name': 'plan' },
    });
  }
  chain.push(tool(20_000, 'a', { parent: 19_999, at: [20_000, 20_001] }));
  const run = runOf(chain);
  expect([run.toolCalls.length, run.toolCalls[0]?.agent]).toEqual([1, 'helper']);
});
