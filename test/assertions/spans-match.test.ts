import { describe, expect, test } from 'vitest';
import { spansMatch } from '../../assertions/spans-match.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { type SpanSketch, spanId, type ViewOptions, viewOf } from '../view-builder.ts';

const story: readonly SpanSketch[] = [
  { id: '1', name: 'run', end: 100 },
  { id: '2', parent: '1', name: 'chat', start: 10, attributes: { n: 1 } },
  { id: '3', parent: '1', name: 'chat', start: 20, status: 'error', attributes: { n: 2, flag: true } },
];
const judge = (parameters: unknown, options?: ViewOptions, spans = story): Verdict =>
  spansMatch.evaluate(viewOf(spans, options), spansMatch.parameters.parse(parameters) as never);
const told = ({ status, examined, missing }: Verdict) => [status, examined, missing.map(({ kind }) => kind)];
const remote: ViewOptions = { kind: 'tempo', facts: { remote: true, ended: false } };

const quantifiers = [
  { every: { status: 'ok' } },
  { none: { status: 'error' } },
  { atLeast: 1 },
  { atMost: 3 },
  { exactly: 0 },
  { exactly: 2, that: { status: 'error' } },
];

describe('zero matching spans', () => {
  test.each(quantifiers)('%j is inconclusive', (expect_) => {
    const verdict = judge({ match: { name: 'chat gpt' }, expect: expect_ });
    expect(told(verdict)).toEqual(['inconclusive', 0, ['nothing-examined']]);
    expect(verdict.missing[0]?.message).toBe(
      'no span matches name "chat gpt"; the spans of the run are "run" and "chat"; allowEmpty with a reason would accept none',
    );
  });

  test.each([
    [{ every: { status: 'ok' } }, 'passed'],
    [{ none: { status: 'error' } }, 'passed'],
    [{ atMost: 3 }, 'passed'],
    [{ exactly: 0 }, 'passed'],
    [{ atLeast: 1 }, 'failed'],
    [{ exactly: 2 }, 'failed'],
  ])('with a reason for emptiness %j is decided', (expectation, status) => {
    const verdict = judge({ match: { name: 'none' }, expect: expectation, allowEmpty: 'cache may answer' });
    expect(told(verdict)).toEqual([status, 3, []]);
    expect(verdict.remarks).toEqual(['no span matches, which is allowed: cache may answer']);
    expect(judge({ match: { name: 'none' }, expect: expectation, allowEmpty: 'x' }, remote).status).toBe(
      'inconclusive',
    );
  });

  test.each(['', '  '])('%j is no reason', (allowEmpty) => {
    expect(spansMatch.parameters.safeParse({ match: {}, expect: { exactly: 0 }, allowEmpty }).success).toBe(false);
  });
});

describe('what completeness decides', () => {
  const chats = { name: 'chat' };
  test.each([
    [{ atLeast: 2 }, ['passed', 2, []]],
    [{ atLeast: 3 }, ['inconclusive', 2, ['completeness']]],
    [{ exactly: 2 }, ['inconclusive', 2, ['completeness']]],
    [{ exactly: 1 }, ['failed', 2, []]],
    [{ atMost: 1 }, ['failed', 2, []]],
    [{ every: { name: 'chat' } }, ['inconclusive', 2, ['completeness']]],
    [{ every: { status: { not: 'error' } } }, ['failed', 2, []]],
    [{ none: { status: 'error' } }, ['failed', 2, []]],
    [{ none: { status: 'ok' } }, ['inconclusive', 2, ['completeness']]],
  ])('a remote source without receipts: %j', (expectation, expected) => {
    expect(told(judge({ match: chats, expect: expectation }, remote))).toEqual(expected);
  });
});

test('what came before may be missing: on a part no span is known to come after nothing', () => {
  const [refund, lookup]: SpanSketch[] = [
    { id: '5', parent: '1', name: 'refund', start: 40, end: 45 },
    { id: '4', parent: '1', name: 'lookup', start: 30, end: 35 },
  ];
  const run: SpanSketch = { id: '1', name: 'run', end: 100 };
  const order = (...spans: SpanSketch[]) => ({
    every: { match: { name: 'refund' }, expect: { every: { after: { name: 'lookup' } } } },
    spans: [run, ...spans],
  });
  const verdict = ({ every, spans }: ReturnType<typeof order>, options?: ViewOptions) =>
    told(judge(every, options, spans))[0];
  expect(verdict(order(lookup as SpanSketch, refund as SpanSketch))).toBe('passed');
  expect(verdict(order(refund as SpanSketch))).toBe('failed');
  expect(verdict(order(refund as SpanSketch), remote)).toBe('inconclusive');
  const late = { ...(lookup as SpanSketch), start: 50, end: 55 };
  expect(verdict(order(late, refund as SpanSketch))).toBe('failed');
  expect(verdict(order(late, refund as SpanSketch), remote)).toBe('inconclusive');
});

test('the violations and what differs are named', () => {
  const expectation = {
    every: { status: { not: 'error' }, attributes: { n: { atMost: 1 }, flag: { exists: false } } },
  };
  const [finding] = judge({ match: { name: 'chat' }, expect: expectation }).findings;
  expect(finding?.spans.map((span) => span.spanId)).toEqual([spanId('3')]);
  expect(finding?.nearMisses?.map(({ difference }) => difference)).toEqual([
    'differs: status, attribute n and attribute flag',
  ]);
});

test('a query by step asks for what the instrumentation shows', () => {
  const tool: SpanSketch = {
    id: '4',
    parent: '1',
    name: 'execute_tool x',
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'x' },
    scope: 'my-agent',
  };
  const verdict = judge({ match: { step: 'tool' }, expect: { every: { status: { not: 'error' } } } }, {}, [
    ...story,
    tool,
  ]);
  expect(told(verdict)).toEqual(['inconclusive', 1, ['visibility', 'visibility']]);
});

test('a heap of traces: counts that depend on the grouping are not decided', () => {
  const heap: SpanSketch[] = [
    { id: '1', trace: 'a1', name: 'refund' },
    { id: '2', trace: 'b2', name: 'refund' },
  ];
  const count = (expectation: object) => told(judge({ match: { name: 'refund' }, expect: expectation }, {}, heap));
  expect(count({ exactly: 1 })).toEqual(['inconclusive', 2, ['boundary']]);
  expect(count({ atLeast: 1 })).toEqual(['passed', 2, []]);
  expect(count({ atLeast: 3 })).toEqual(['failed', 2, []]);
  expect(count({ every: { status: 'unset' } })).toEqual(['passed', 2, []]);
});

test.each([
  [{}, 'expected one of every, none, or a count (atLeast, atMost, exactly)'],
  [{ every: {}, none: {} }, 'expected one of every, none, or a count (atLeast, atMost, exactly)'],
  [{ every: {}, atLeast: 1 }, 'expected one of every, none, or a count (atLeast, atMost, exactly)'],
  [{ every: {}, that: {} }, 'expected `that` beside a count; every and none hold their own query'],
  [{ exactly: 1, atLeast: 1 }, 'expected exactly or none to stand alone, got several quantifiers'],
  [{ atLeast: 0 }, 'expected atLeast to be 1 or more, got 0, which holds of anything'],
])('%j is refused', (expectation, message) => {
  const issues = spansMatch.parameters.safeParse({ match: {}, expect: expectation }).error?.issues ?? [];
  expect(issues.map((issue) => issue.message)).toEqual([message]);
});
