import { expect, test } from 'vitest';
import { agent, runOf, type SmallSpan, tool } from './small-trace.ts';

function outcomeOf(span: SmallSpan): readonly [string, readonly string[]] {
  const [call] = runOf([agent, span]).toolCalls;
  return [call?.outcome ?? 'none', call?.evidence ?? []];
}

test('a result that shows no failure is success, whatever the status says of good', () => {
  expect(outcomeOf(tool(2, 't', { result: { items: [1] } }))).toEqual(['succeeded', ['status', 'result']]);
  expect(outcomeOf(tool(2, 't', { result: { items: [1] }, status: 'ok' }))).toEqual([
    'succeeded',
    ['status', 'result'],
  ]);
});

test('without a result a good end is an end, no more', () => {
  expect(outcomeOf(tool(2, 't', { status: 'ok' }))).toEqual(['ended', ['status']]);
  expect(outcomeOf(tool(2, 't', { result: '__REDACTED__' }))).toEqual(['ended', ['status']]);
});

test('any single mark of failure is enough, under any status', () => {
  expect(outcomeOf(tool(2, 't', { status: 'error', result: 'fine' }))).toEqual(['failed', ['status']]);
  expect(outcomeOf(tool(2, 't', { result: 'fine', extra: { 'error.type': 'tool_error' } }))).toEqual([
    'failed',
    ['error.type'],
  ]);
  const thrown = tool(2, 't', { status: 'ok', result: 'fine' });
  const events = [{ name: 'exception', attributes: { 'exception.type': 'IOError' } }];
  expect(outcomeOf({ ...thrown, events })).toEqual(['failed', ['exception']]);
});

test.each([
  ['an error member', { error: { code: -32000 } }],
  ['an error text', { error: 'no such order' }],
  ['isError', { isError: true, content: [] }],
  ['is_error', { is_error: true }],
  ['success false', { success: false }],
  ['JSON text in a content block', [{ type: 'text', text: '{"error":"no"}' }]],
  ['an envelope', { result: { error: 'no' } }],
  ['JSON encoded twice', '"{\\"error\\":\\"no\\"}"'],
])('a result that fails: %s', (_, result) => {
  expect(outcomeOf(tool(2, 't', { result, status: 'ok' }))).toEqual(['failed', ['result']]);
});

test.each([
  ['a null error', { error: null, items: [] }],
  ['isError false', { isError: false, content: [] }],
  ['words in data', { log: '0 errors, error_rate=0' }],
  ['words in text', 'Error: this is the title of a song'],
  ['a list with an error field in its data', [{ order: 1, error: 'late' }]],
])('a result that does not fail: %s', (_, result) => {
  expect(outcomeOf(tool(2, 't', { result }))[0]).toBe('succeeded');
});

test('a framework exception that steers is no failure; a user error of the same name is one', () => {
  const stopped = (type: string, errorType?: string) =>
    outcomeOf({
      ...tool(2, 't', { status: 'error', extra: errorType === undefined ? {} : { 'error.type': errorType } }),
      events: [{ name: 'exception', attributes: { 'exception.type': type } }],
    });
  expect(stopped('langgraph.errors.GraphInterrupt')).toEqual(['unknown', []]);
  expect(stopped('my_app.GraphInterrupt', 'GraphInterrupt')).toEqual(['failed', ['status', 'error.type', 'exception']]);
});

test('a span that never ended tells nothing of its end', () => {
  expect(outcomeOf(tool(2, 't', { at: [20, undefined] }))).toEqual(['unknown', []]);
});

test('the stamp of our own instrumentation stands for a withheld result', () => {
  expect(outcomeOf(tool(2, 't', { extra: { 'otel_eval.tool.result_failed': true } }))).toEqual(['failed', ['stamp']]);
  expect(outcomeOf(tool(2, 't', { extra: { 'otel_eval.tool.result_failed': false } }))).toEqual([
    'succeeded',
    ['status', 'stamp'],
  ]);
});
