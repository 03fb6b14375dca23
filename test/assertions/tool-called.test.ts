import { describe, expect, test } from 'vitest';
import { toolCalled } from '../../assertions/tool-called.ts';
import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { digestOf, type SpanSketch, spanId, type ViewOptions, viewOf } from '../view-builder.ts';
import { changed, orderStory, setAttributes, toolSpan, withMore } from './order-story.ts';

const judge = (spans: readonly SpanSketch[], parameters: unknown, options?: ViewOptions): Verdict =>
  toolCalled.evaluate(viewOf(spans, options), toolCalled.parameters.parse(parameters) as never);
const kinds = ({ missing }: Verdict) => missing.map(({ kind }) => kind);
const told = (verdict: Verdict) => [verdict.status, verdict.findings.map(({ code }) => code), kinds(verdict)];

const remote: ViewOptions = { kind: 'tempo', facts: { remote: true, ended: false } };
const lookup = { match: { tool: 'lookup_order' } };
const escalate = { tool: 'escalate' };

/** Without messages, arguments and results. */
function withoutContent(spans: SpanSketch[]): SpanSketch[] {
  for (const span of spans) {
    const content = Object.keys(span.attributes ?? {}).filter((key) => /messages|call\.(arguments|result)/.test(key));
    setAttributes(span, Object.fromEntries(content.map((key) => [key, undefined])));
  }
  return spans;
}

describe('what completeness and visibility decide', () => {
  test.each([
    ['at least, seen', { ...lookup, expect: { atLeast: 1 } }, ['passed', [], []]],
    ['at least, not seen', { match: escalate, expect: { atLeast: 1 } }, ['inconclusive', [], ['completeness']]],
    ['exactly, fits', { ...lookup, expect: { exactly: 1 } }, ['inconclusive', [], ['completeness']]],
    ['none, not seen', { match: escalate, expect: { none: true } }, ['inconclusive', [], ['completeness']]],
    ['at most, exceeded', { match: {}, expect: { atMost: 1 } }, ['failed', ['tool-called/too-many-calls'], []]],
    ['exactly, exceeded', { match: {}, expect: { exactly: 1 } }, ['failed', ['tool-called/too-many-calls'], []]],
  ])('a remote source without receipts: %s', (_, parameters, expected) => {
    expect(told(judge(orderStory(), parameters, remote))).toEqual(expected);
  });

  test('a remote source that is accepted as settled says on what ground', () => {
    const quiet: ViewOptions = { ...remote, facts: { remote: true, ended: false, quiet: true }, acceptsSettled: true };
    const verdict = judge(orderStory(), { match: escalate, expect: { none: true } }, quiet);
    expect(told(verdict)).toEqual(['passed', [], []]);
    expect(verdict.remarks).toEqual([
      'decided on a settled trace from tempo, as --completeness settled accepts; no receipt proves it whole',
    ]);
  });

  test('an instrumentation that does not show tool calls decides no absence', () => {
    const hidden = withoutContent(orderStory()).map((span) => ({ ...span, scope: 'my-agent' }));
    expect(told(judge(hidden, { match: escalate, expect: { none: true } }))).toEqual([
      'inconclusive',
      [],
      ['visibility', 'visibility'],
    ]);
    expect(told(judge(hidden, { ...lookup, expect: { atLeast: 1 } }))).toEqual(['passed', [], []]);
    expect(told(judge(hidden, { ...lookup, expect: { none: true } }))).toEqual([
      'failed',
      ['tool-called/too-many-calls'],
      [],
    ]);
  });
});

describe('calls that ran', () => {
  test('a request alone is no call, and is named as a near miss', () => {
    const asked = JSON.stringify([
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c9', name: 'get_price', arguments: {} }] },
    ]);
    const spans = changed('6', (span) => setAttributes(span, { 'gen_ai.output.messages': asked }));
    const verdict = judge(spans, { match: { tool: 'get_price' } });
    expect(verdict.status).not.toBe('passed');
    expect(verdict.findings.flatMap(({ nearMisses = [] }) => nearMisses.map(({ difference }) => difference))).toEqual(
      verdict.status === 'failed' ? ['"get_price" was requested and did not run'] : [],
    );
  });

  test.each([
    ['denied', 'no', 'was denied, so it did not run'],
    ['notRun', 'no', 'did not run'],
    ['unknown', 'open', 'may or may not have run'],
  ] as const)('outcome %s', (outcome, counted, difference) => {
    const view = viewOf(orderStory());
    const calls = view.run.toolCalls.map(
      (call) =>
        new Proxy(call, {
          get: (target, key) =>
            key === 'outcome' && target.name === 'issue_refund' ? outcome : Reflect.get(target, key),
        }),
    );
    const verdict = judge(orderStory(), { match: { tool: 'issue_refund' } }, { run: { toolCalls: calls } });
    if (counted === 'open') {
      expect(told(verdict)).toEqual(['inconclusive', [], ['visibility']]);
      expect(verdict.missing[0]?.message).toBe(
        'the trace does not say whether 1 of the calls ran; a tool span that ends, or the result in the next model call, would tell',
      );
    } else {
      expect(told(verdict)).toEqual(['failed', ['tool-called/too-few-calls'], []]);
      expect(verdict.findings[0]?.nearMisses).toEqual([
        { span: { traceId: 'a1'.repeat(16), spanId: spanId('5') }, difference },
      ]);
    }
  });

  test('a call whose name is not told may be any', () => {
    const nameless = changed('5', (span) => {
      span.name = 'work';
      setAttributes(span, { 'gen_ai.tool.name': undefined, 'gen_ai.tool.call.id': undefined });
    });
    const spans = withoutContent(nameless);
    const verdict = judge(spans, { match: { tool: 'issue_refund' }, expect: { none: true } });
    expect(verdict.status).toBe('inconclusive');
    expect(kinds(verdict)).toContain('content');
    expect(kinds(verdict)).toContain('visibility');
  });
});

describe('near misses', () => {
  const nearMisses = (spans: readonly SpanSketch[], parameters: unknown) =>
    judge(spans, parameters).findings.flatMap(({ nearMisses: found = [] }) =>
      found.map(({ span, difference }) => [span?.spanId ?? null, difference]),
    );

  test('say which arguments differ, by name', () => {
    const match = { tool: 'issue_refund', arguments: { order_id: 'ORD-2', amount: 40, currency: 'EUR' } };
    expect(nearMisses(orderStory(), { match })).toEqual([
      [spanId('5'), 'argument order_id and argument currency differ'],
    ]);
  });

  test('say that the agent or the effect differs', () => {
    const match = { tool: 'issue_refund', agent: 'billing' };
    expect(nearMisses(orderStory(), { match })).toEqual([[spanId('5'), 'agent differs']]);
    const read = changed('5', (span) => setAttributes(span, { [ownAttributes.toolEffect]: 'write' }));
    expect(nearMisses(read, { match: { tool: 'issue_refund', effect: 'read' } })).toEqual([
      [spanId('5'), 'effect differs'],
    ]);
  });

  test('where no call of that tool is near, say what was called', () => {
    const verdict = judge(orderStory(), { match: escalate });
    expect(verdict.findings[0]?.nearMisses).toEqual([
      { span: null, difference: 'called instead: "lookup_order" 1 time and "issue_refund" 1 time' },
    ]);
  });
});

describe('arguments', () => {
  const refund = (wanted: object) => ({ match: { tool: 'issue_refund', ...wanted }, expect: { exactly: 1 } });
  const given = (value: unknown) =>
    changed('5', (span) =>
      setAttributes(span, { 'gen_ai.tool.call.arguments': JSON.stringify(value), 'gen_ai.tool.call.id': 'x' }),
    );

  test.each([
    [
      'an object inside may hold more',
      { items: [{ sku: 'a', n: 1 }] },
      { arguments: { items: [{ sku: 'a' }] } },
      'passed',
    ],
    ['lists have the same length', { items: ['a', 'b'] }, { arguments: { items: ['a'] } }, 'failed'],
    ['null is not absent', {}, { arguments: { note: null } }, 'failed'],
    ['null is null', { note: null }, { arguments: { note: null } }, 'passed'],
    ['exactly: one more fails', { a: 1, b: 2 }, { argumentsExactly: { a: 1 } }, 'failed'],
    ['exactly: the order of keys does not matter', { b: 2, a: 1 }, { argumentsExactly: { a: 1, b: 2 } }, 'passed'],
    ['1 and "1" differ', { a: '1' }, { arguments: { a: 1 } }, 'failed'],
  ])('%s', (_, actual, wanted, status) => {
    expect(judge(given(actual), refund(wanted)).status).toBe(status);
  });

  test('a schema with an unknown keyword is refused when the suite is read', () => {
    const result = toolCalled.parameters.safeParse(refund({ argumentsSchema: { contains: {} } }));
    expect(result.error?.issues.map(({ path }) => path)).toEqual([['match', 'argumentsSchema']]);
  });

  const key = 'a digest key';
  const stamped = (value: { [name: string]: unknown }) => {
    const spans = withoutContent(orderStory());
    const digests = Object.entries(value).map(([name, one]) => [
      `${ownAttributes.toolArgumentDigestPrefix}${name}`,
      digestOf(one, key),
    ]);
    const refundSpan = spans.find(({ id }) => id === '5') as SpanSketch;
    setAttributes(refundSpan, {
      [ownAttributes.toolArgumentsDigest]: digestOf(value, key),
      ...Object.fromEntries(digests),
    });
    return spans;
  };
  const refundArguments = { order_id: 'ORD-1001', amount: 40 };

  test.each([
    ['subset, equal', { arguments: { order_id: 'ORD-1001' } }, key, 'passed', []],
    ['subset, different', { arguments: { order_id: 'ORD-2' } }, key, 'failed', []],
    ['exactly, equal', { argumentsExactly: { amount: 40, order_id: 'ORD-1001' } }, key, 'passed', []],
    ['exactly, different', { argumentsExactly: { order_id: 'ORD-1001' } }, key, 'failed', []],
    ['without the key', { arguments: { order_id: 'ORD-1001' } }, undefined, 'inconclusive', ['content']],
    ['an argument without a digest', { arguments: { note: 'x' } }, key, 'inconclusive', ['content']],
    ['a schema', { argumentsSchema: { required: ['order_id'] } }, key, 'inconclusive', ['content']],
    ['a part of an object', { arguments: { order_id: { a: 1 } } }, key, 'inconclusive', ['content']],
  ])('digests in place of arguments: %s', (_, wanted, digestKey, status, missing) => {
    const options = digestKey === undefined ? {} : { digestKey };
    const verdict = judge(stamped(refundArguments), refund(wanted), options);
    expect([verdict.status, kinds(verdict)]).toEqual([status, missing]);
  });
});

describe('a heap of traces that nothing bounds', () => {
  const loop = (trace: string, id: string, more: SpanSketch[] = []): SpanSketch[] => [
    { id, trace, name: `POST /turn ${id}`, start: 0, end: 100 },
    ...more.map((span) => ({ ...span, trace, parent: id })),
  ];
  const refund = (id: string): SpanSketch =>
    toolSpan(id, 10, { id: `c${id}`, name: 'issue_refund', arguments: {}, result: 'ok' });
  const atMostOne = { match: { tool: 'issue_refund' }, expect: { atMost: 1 } };
  const shown = viewOf(orderStory()).run.visibility;

  test('two refunds in two traces: runs cannot be told apart', () => {
    const spans = [...loop('a1', '1', [refund('2')]), ...loop('b2', '3', [refund('4')])];
    const verdict = judge(spans, atMostOne, { run: { visibility: shown } });
    expect(told(verdict)).toEqual(['inconclusive', [], ['boundary']]);
    expect(verdict.missing[0]?.message).toBe(
      'runs cannot be told apart: 2 traces carry no run id and no agent span, and the verdict depends on how they are grouped; set otel_eval.run.id, or say --one-run or runBy: conversation',
    );
    expect(told(judge(spans, atMostOne, { runs: { oneRun: true } }))[0]).toBe('failed');
  });

  test('two in one trace fail, and none at all passes, however the traces are grouped', () => {
    const twice = [...loop('a1', '1', [refund('2'), refund('5')]), ...loop('b2', '3')];
    expect(judge(twice, atMostOne).status).toBe('failed');
    const none = [...loop('a1', '1'), ...loop('b2', '3')];
    expect(judge(none, { ...atMostOne, expect: { none: true } }, { run: { visibility: shown } }).status).toBe('passed');
  });
});

test('every call of a run counts once, also with 2,000 of them', () => {
  const more = Array.from({ length: 2_000 }, (_, i) =>
    toolSpan(`e${i.toString(16).padStart(5, '0')}`, 410 + i, {
      id: `n${i}`,
      name: 'ping',
      arguments: { i },
      result: i,
    }),
  );
  const verdict = judge(withMore(...more), {
    match: { tool: 'ping' },
    expect: { exactly: 2_000 },
    order: { mode: 'partial', pairs: [{ before: { tool: 'issue_refund' }, after: { tool: 'ping' } }] },
  });
  expect(told(verdict)).toEqual(['passed', [], []]);
});
