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
