import { expect, test } from 'vitest';
import { isRawReasoning } from '../../../src/trace/privacy/raw-reasoning.ts';
import type { Place } from '../../../src/trace/privacy/span-places.ts';

const isFound = (key: string, value: unknown): boolean =>
  isRawReasoning({ kind: 'attribute', key, value: JSON.stringify(value) } as Place, new Map());

const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'first I …' }] };
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };

test('reasoning among the items of a response is found, whatever the list is called', () => {
  for (const key of ['output', 'input', 'items']) {
    expect([key, isFound('output.value', { object: 'response', [key]: [reasoning, said] })]).toEqual([key, true]);
    expect([key, isFound('output.value', { object: 'response', [key]: [said] })]).toEqual([key, false]);
  }
});

test('an argument or result that is named reasoning is data', () => {
  expect(isFound('output.value', { arguments: { reasoning: 'because' } })).toBe(false);
  expect(isFound('output.value', { output: { reasoning: 'because' } })).toBe(false);
});

const words = { content: 'done' };
const thought = { ...words, reasoning_content: 'first I …' };

test.each<[string, (message: unknown) => unknown]>([
  ['choices of a completion', (message) => ({ response: { choices: [{ index: 0, message }] } })],
  ['parts of a stream', (delta) => ({ output: [{ choices: [{ delta }] }, { choices: [{ delta }] }] })],
  ['messages that were sent', (message) => ({ input: { messages: [message] } })],
  ['an answer', (message) => ({ output: message })],
  ['a list of answers', (message) => ({ result: [message] })],
])('reasoning of a message without a role is found: %s', (_what, around) => {
  expect(isFound('output.value', around(thought))).toBe(true);
  expect(isFound('output.value', around(words))).toBe(false);
  expect(isFound('output.value', around({ ...words, reasoning_tokens: 7 }))).toBe(false);
});

test('what a tool was given stays its own, also where it looks like a message', () => {
  for (const key of ['arguments', 'args', 'parameters']) {
    expect(isFound('output.value', { [key]: { message: thought } })).toBe(false);
    expect(isFound('output.value', { [key]: thought })).toBe(false);
  }
  expect(isFound('output.value', { input: thought })).toBe(false);
});
