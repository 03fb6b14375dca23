import { trace } from '@opentelemetry/api';
import { type Assertion, afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../../src/vitest/index.ts';
import { assertTrace, type RecordedRun, recordTraces } from '../../src/testing/index.ts';
import { matchers } from '../../src/testing/matchers.ts';
import { runScripted, type ScriptedCall } from './agent-under-test.ts';

const scope = 'scripted-agent';
const vouched = recordTraces({ instrumented: [scope] });
afterAll(() => vouched.close());
const tracer = trace.getTracer(scope);

const lookup: ScriptedCall = { tool: 'lookup_order', args: { order_id: 'ORD-1001' } };
const refund: ScriptedCall = { tool: 'issue_refund', args: { order_id: 'ORD-1001', amount: 49.5 } };
const runs: Record<string, RecordedRun> = {};
beforeAll(async () => {
  const record = (calls: readonly ScriptedCall[]) => vouched.record(() => runScripted(tracer, calls));
  runs.good = await record([lookup, refund]);
  runs.retried = await record([lookup, { ...refund, fails: true }, refund]);
  runs.failing = await record([lookup, { ...refund, fails: true }]);
  runs.unseen = await record([lookup, { ...refund, result: false }]);
  runs.reversed = await record([refund, lookup]);
  runs.escalating = await record([lookup, { tool: 'escalate' }]);
  runs.other = await record([lookup, { ...refund, args: { order_id: 'INV-7', amount: 49.5 } }]);
  runs.bare = await record([{ tool: 'issue_refund', args: undefined, result: false }]);
  // Two roots: the second conversation turn escaped from its parent.
  runs.split = await vouched.record(async () => {
    await runScripted(tracer, [lookup]);
    await runScripted(tracer, [refund]);
  });
  runs.none = await vouched.record(() => 'no spans at all');
});

const run = (name: string): RecordedRun => runs[name] as RecordedRun;

type Row = [
  string,
  (e: Assertion, run: RecordedRun) => void,
  { pass: string[]; fail: string[]; open: string[]; not: string[] },
];

// For each matcher: runs of which it holds, does not hold, is not decided, and runs of which the opposite holds.
const table: Row[] = [
  ['toBeJoined', (e) => e.toBeJoined(), { pass: ['good'], fail: ['split'], open: ['none'], not: ['split'] }],
  [
    'toHaveCalledTool',
    (e) => e.toHaveCalledTool('issue_refund', { exactly: 1 }),
    { pass: ['good', 'unseen'], fail: ['retried'], open: ['none'], not: ['retried'] },
  ],
  [
    'toHaveCalledTool, matched',
    (e) =>
      e.toHaveCalledTool('issue_refund', {
        arguments: { order_id: expect.stringMatching(/^ORD-1/), amount: expect.closeTo(49.5) },
      }),
    { pass: ['good', 'retried'], fail: ['other'], open: ['none'], not: ['other'] },
  ],
  [
    'toHaveCalledTool, never',
    (e) => e.toHaveCalledTool('escalate'),
    { pass: ['escalating'], fail: ['good'], open: ['none'], not: ['good', 'retried'] },
  ],
  [
    'toHaveToolSucceeded',
    (e) => e.toHaveToolSucceeded('issue_refund'),
    { pass: ['good'], fail: ['retried', 'failing'], open: ['unseen', 'none'], not: ['failing'] },
  ],
  [
    'toHaveToolSucceeded, last',
    (e) => e.toHaveToolSucceeded('issue_refund', { attempts: 'last' }),
    { pass: ['good', 'retried'], fail: ['failing'], open: ['unseen'], not: ['failing'] },
  ],
  [
    'toHaveSpan',
    (e) => e.toHaveSpan({ name: 'execute_tool issue_refund', status: 'error' }),
    { pass: ['retried'], fail: ['good'], open: ['none'], not: ['good'] },
  ],
  [
    'toHaveSpans',
    (e) => e.toHaveSpans({ name: { startsWith: 'execute_tool' } }, { exactly: 2 }),
    { pass: ['good', 'failing'], fail: ['retried'], open: ['none'], not: ['retried'] },
  ],
  [
    'toHaveSteps',
    (e) => e.toHaveSteps(['lookup_order', 'issue_refund'], { order: 'exact' }),
    { pass: ['good', 'failing'], fail: ['retried'], open: ['none'], not: ['retried'] },
  ],
  [
    'toHaveSteps, partial',
    (e) => e.toHaveSteps([['lookup_order', 'issue_refund']], { order: 'partial' }),
    { pass: ['good', 'retried'], fail: ['reversed'], open: ['none'], not: ['reversed'] },
  ],
  [
    'toHaveSteps, in order',
    (e) => e.toHaveSteps(['lookup_order', { tool: 'issue_refund' }], { order: 'inOrder' }),
    { pass: ['good', 'retried'], fail: ['reversed'], open: ['none'], not: ['reversed'] },
  ],
  [
    'toHaveSteps, any order',
    (e) => e.toHaveSteps(['issue_refund', 'lookup_order'], { order: 'anyOrder' }),
    { pass: ['good', 'reversed'], fail: ['escalating'], open: ['none'], not: ['escalating'] },
  ],
  [
    'toStayWithin',
    (e) => e.toStayWithin({ toolAttempts: { max: 1, source: 'shop policy' } }),
    { pass: ['good'], fail: ['retried'], open: ['none'], not: ['retried'] },
  ],
  ['toKeepContentOut', (e) => e.toKeepContentOut(), { pass: ['bare'], fail: ['good'], open: ['none'], not: ['good'] }],
  [
    'toKeepContentOut, secrets',
    (e) =>
      e.toKeepContentOut({ allow: ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'], secrets: ['ORD-1001'] }),
    { pass: ['bare'], fail: ['good'], open: ['none'], not: ['good'] },
  ],
  [
    'toSatisfy',
    (e) => e.toSatisfy({ ToolCalled: { match: { tool: 'issue_refund' }, expect: { exactly: 1 } } }),
    { pass: ['good'], fail: ['retried'], open: ['none'], not: ['retried'] },
  ],
];

/** The message of a failed expectation, without what differs from run to run; `undefined` where nothing failed. */
function messageOf(fn: () => void): string | undefined {
  try {
    fn();
    return undefined;
  } catch (error) {
    const ids: string[] = [];
    const numbered = (id: string) => `ID-${ids.includes(id) ? ids.indexOf(id) + 1 : ids.push(id)}`;
    return (error as Error).message
      .replace(/\d+(\.\d+)? (ms|s)\b/g, 'N ms')
      .replace(/ +(N ms)/g, '  $1')
      .replace(/\b(?:[0-9a-f]{32}|[0-9a-f]{16})\b/g, numbered);
  }
}

test('every matcher has runs of which it holds, does not hold, is undecided, and of which the opposite holds', () => {
  const named = table.map(([name]) => name.replace(/,.*/, ''));
  expect([...new Set(named)].sort()).toEqual(Object.keys(matchers).sort());
  expect(table.filter(([, , sets]) => Object.values(sets).some((set) => set.length === 0))).toEqual([]);
});

describe.each(table)('%s', (name, state, { pass, fail, open, not }) => {
  test('holds', () => {
    expect(pass.map((each) => messageOf(() => state(expect(run(each)), run(each))))).toEqual(pass.map(() => undefined));
  });
  test('does not hold, and says why', async () => {
    const messages = fail.map(
      (each) => messageOf(() => state(expect(run(each)), run(each))) ?? `nothing was said of ${each}`,
    );
    const file = name.replace(/\W+/g, '-');
    await expect(messages.join('\n\n')).toMatchFileSnapshot(`golden/${file}.failed.txt`);
    expect(messages.every((message) => message.startsWith('✗'))).toBe(true);
  });
  test('what is not decided is red under both signs', async () => {
    const messages = open.flatMap((each) => [
      messageOf(() => state(expect(run(each)), run(each))) ?? `nothing was said of ${each}`,
      messageOf(() => state(expect(run(each)).not, run(each))) ?? `nothing was said of ${each} under .not`,
    ]);
    const file = name.replace(/\W+/g, '-');
    await expect(messages.join('\n\n')).toMatchFileSnapshot(`golden/${file}.undecided.txt`);
    expect(messages.every((message) => message.startsWith('?'))).toBe(true);
  });
  test('the opposite fact holds', () => {
    expect(not.map((each) => messageOf(() => state(expect(run(each)).not, run(each))))).toEqual(
      not.map(() => undefined),
    );
  });
  test('the opposite fact does not hold where the fact does', async () => {
    const messages = pass.map(
      (each) => messageOf(() => state(expect(run(each)).not, run(each))) ?? `nothing was said of ${each}`,
    );
    const file = name.replace(/\W+/g, '-');
    await expect(messages.join('\n\n')).toMatchFileSnapshot(`golden/${file}.not.txt`);
    expect(messages.every((message) => message.startsWith('✗'))).toBe(true);
  });
});

test('a run is awaited, and nothing else is accepted in its place', () => {
  const promise = vouched.record(() => 1);
  expect(messageOf(() => expect(promise).toBeJoined())).toBe(
    'expect(run).toBeJoined() expects what record() or collectTrace() returned, got a promise; await it first',
  );
  expect(messageOf(() => expect(promise).not.toBeJoined())).toBe(
    'expect(run).not.toBeJoined() expects what record() or collectTrace() returned, got a promise; await it first',
  );
  return promise;
});

test('assertTrace says the same, as an AssertionError with its parts', () => {
  assertTrace.calledTool(run('good'), 'issue_refund', { exactly: 1 });
  assertTrace.not.calledTool(run('good'), 'escalate');
  let error: unknown;
  try {
    assertTrace.calledTool(run('retried'), 'issue_refund', { exactly: 1 });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    name: 'AssertionError',
    operator: 'assertTrace.calledTool',
    expected: 'exactly 1 call of "issue_refund"',
    actual: '2 among 3 tool calls',
  });
});
