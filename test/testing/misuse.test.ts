import { trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertTrace, type RecordedRun, recordTraces } from '../../src/testing/index.ts';
import '../../src/vitest/index.ts';
import { runScripted } from './agent-under-test.ts';

// What someone gets who uses it for the first time and not quite right: each message says what to do, at its beginning.
const traces = recordTraces();
afterAll(() => traces.close());
const tracer = trace.getTracer('my-agent');
const agent = () => runScripted(tracer, [{ tool: 'search' }, { tool: 'buy', args: { item: 1 } }]);

let run: RecordedRun;
beforeAll(async () => {
  run = await traces.record(agent);
});

function messageOf(fn: () => unknown): string {
  try {
    fn();
  } catch (error) {
    return (error as Error).message;
  }
  return 'it did not throw';
}

const firstLines = (fn: () => unknown) => messageOf(fn).split('\n').slice(0, 3);
const as = (value: unknown): never => value as never;

describe('a matcher', () => {
  test.each<[string, () => unknown, string]>([
    [
      'an option that there is not',
      () => expect(run).toHaveCalledTool('buy', as({ times: 1 })),
      'ToolCalled at match.times: unknown key "times"; known here are tool, arguments, argumentsExactly, argumentsSchema, effect, agent; how often is said by exactly, atLeast, atMost or none',
    ],
    [
      'a bound without its source',
      () => expect(run).toStayWithin(as({ toolCalls: 1 })),
      'WithinBudget at toolCalls: expected a map, got a number; a bound is { max: 3, source: "where the number comes from" }',
    ],
    [
      'an order that is not said',
      () => expect(run).toHaveSteps(['search', 'buy'], as(undefined)),
      'expected how strict the order is, as { order: "inOrder" }: exact, inOrder, anyOrder or partial',
    ],
    [
      'a tool whose name is not known',
      () => expect(run).toHaveCalledTool(as(undefined)),
      'expected the name of a tool, got nothing',
    ],
    ['an empty name', () => assertTrace.calledTool(run, ''), 'expected the name of a tool, got an empty text'],
    [
      'a number that got lost',
      () => expect(run).toHaveCalledTool('buy', as({ exactly: undefined })),
      'expected a number for exactly, got undefined; leave it out for at least once',
    ],
    [
      'what record() was not waited for',
      () => expect(traces.record(agent)).toHaveCalledTool('buy'),
      'expect(run).toHaveCalledTool("buy") expects what record() or collectTrace() returned, got a promise; await it first',
    ],
    [
      'what the agent returned',
      () => expect('done').toHaveCalledTool('buy'),
      'expect(run).toHaveCalledTool("buy") expects what record() or collectTrace() returned, got string',
    ],
  ])('is given %s', (_what, use, message) => {
    expect(messageOf(use)).toBe(message);
  });
});

test('record() is given what has begun already', async () => {
  await expect(traces.record(as(agent()))).rejects.toMatchObject({
    code: 'OTEL_EVAL_USAGE',
    message: 'record() expects a function, as record(() => agent()), got a promise, of something that has begun before',
  });
});

test('the agent makes no span', async () => {
  const silent = await traces.record(() => 'done');
  expect(firstLines(() => expect(silent).toHaveCalledTool('buy'))).toEqual([
    '? expect(run).toHaveCalledTool("buy")',
    '  ToolCalled  inconclusive, 0 spans examined',
    '    missing   no trace is at hand: nothing made a span in record(); instrument the agent, or give',
  ]);
});

test('another tool is called than the one that is asked for', () => {
  expect(firstLines(() => expect(run).toHaveCalledTool('Buy'))).toEqual([
    '? expect(run).toHaveCalledTool("Buy")',
    '  ToolCalled  inconclusive, 3 spans examined',
    '    seen      calls of search and buy',
  ]);
  expect(messageOf(() => expect(run).toHaveCalledTool('Buy'))).toContain('instrumented: ["my-agent"]');
  expect(firstLines(() => assertTrace.calledTool(run, 'Buy'))[0]).toBe('? assertTrace.calledTool("Buy")');
});

test('an argument is asked for by a name that it has not got', async () => {
  const vouched = recordTraces({ instrumented: ['my-agent'] });
  const told = await vouched.record(agent);
  const message = messageOf(() => expect(told).toHaveCalledTool('buy', { arguments: { product: 1 } }));
  expect(message).toMatch(/near miss span [0-9a-f]{16}: no argument product; the call has item\n/);
  await vouched.close();
});
