import { expect, test } from 'vitest';
import { agent, answered, asked, chat, runOf, tool } from './small-trace.ts';

test('a scope that nobody declared shows nothing by itself', () => {
  const run = runOf([agent, chat(2, { content: false }), tool(3, 'a', { call: 'c1' }), chat(4, { content: false })]);
  expect(run.visibility).toEqual({
    modelCalls: 'partly',
    failedModelCalls: 'hidden',
    toolCalls: 'partly',
    toolNames: 'shown',
    failedToolCalls: 'hidden',
    callIds: 'shown',
    arguments: 'hidden',
    results: 'hidden',
    usage: 'hidden',
    content: 'hidden',
    subAgents: 'hidden',
    failureMarks: 'partly',
    retrievals: 'hidden',
    memory: 'hidden',
    handoffs: 'hidden',
    humanInputs: 'hidden',
  });
});

const call = { id: 'c1', name: 'a', arguments: { x: 1 } };
const whole = [
  agent,
  chat(2, { asks: [call], usage: [1, 1] }),
  tool(3, 'a', { call: 'c1', args: { x: 1 }, result: 1 }),
  chat(4, { says: 'done', history: [asked(call), answered('c1', 1)], usage: [1, 1] }),
];

test('histories that hold every answer and every request prove that nothing is missing', () => {
  const { visibility, usage } = runOf(whole);
  expect([visibility.modelCalls, visibility.toolCalls, visibility.failedToolCalls]).toEqual([
    'shown',
    'shown',
    'shown',
  ]);
  expect(usage.coverage).toBe('all');
});

test('a history with an answer that no span tells of proves the contrary', () => {
  const [first = agent, , third = agent, last = agent] = whole;
  expect(runOf([first, third, last]).visibility.modelCalls).toBe('partly');
  expect(runOf([first, third, last]).visibility.toolCalls).toBe('partly');
});

test('dropped attributes mean that content may be missing', () => {
  const spans = whole.map((span) => (span.id === 4 ? { ...span, dropped: 3 } : span));
  expect(runOf(spans).visibility.content).toBe('partly');
});
