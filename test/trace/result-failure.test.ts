import { expect, test } from 'vitest';
import { showsFailure } from '../../src/trace/result-failure.ts';

const langChain = (kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', 'ToolMessage'],
  kwargs,
});

test.each([
  ['{"error":"no such order"}'],
  ['{"isError":true,"content":[{"type":"text","text":"x"}]}'],
  ['{"is_error":true}'],
  ['{"success":false}'],
  ['{"ok":false}'],
  ['{"result":{"ok":false}}'],
  ['{"jsonrpc":"2.0","error":{"code":-32000}}'],
  ['{"\\u0065rror":"x"}'],
  [JSON.stringify('{"error":"written as a string"}')],
  [JSON.stringify([{ type: 'text', text: '{"success":false}' }])],
  [{ output: { error: { code: 1 } } }],
  [[{ json: { error: 'x' } }]],
  [JSON.stringify({ output: langChain({ status: 'success', content: '{"error":"locked"}' }) })],
  [langChain({ status: 'error', content: 'Error: no such order' })],
  [{ type: 'tool', data: { content: '{"ok":false}', tool_call_id: 'call_1' } }],
  [{ status: 'error', content: 'no such order', tool_call_id: 'call_1' }],
])('a failure: %j', (result) => {
  expect(showsFailure(result)).toBe(true);
});

test.each([
  ['Error: no such order'],
  ['{"log":"0 errors"}'],
  ['{"error":null,"errors":0}'],
  ['{"error":"","success":true,"ok":true}'],
  [[{ error: 'one row of data' }]],
  ['{"error"'],
  [undefined],
  [null],
  [7],
  [JSON.stringify({ output: langChain({ status: 'success', content: 'an error of 0.1 %' }) })],
  [{ status: 'error', content: 'a row of data' }],
])('no failure: %j', (result) => {
  expect(showsFailure(result)).toBe(false);
});

test('deep nesting ends', () => {
  let deep: unknown = { error: 'x' };
  for (let level = 0; level < 10_000; level++) deep = { result: deep };
  expect(showsFailure(deep)).toBe(false);
});
