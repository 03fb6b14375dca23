import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildTrace, buildTraces } from '../../src/trace/build-trace.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import type { Span } from '../../src/trace/span.ts';
import { noResource, noScope } from '../../src/trace/span-record.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { attributesOf, idOf, makeSpan, traceId } from './make-span.ts';

function ids(spans: readonly Span[]): string[] {
  return spans.map(({ spanId }) => spanId);
}

function build(...rows: readonly Span[]): Trace {
  return buildTrace(traceId, rows);
}

test('a tree: root, children in order of start, nothing amiss', () => {
  const trace = build(makeSpan(3, 1), makeSpan(2, 1), makeSpan(1), makeSpan(4, 3));
  expect(ids(trace.spans)).toEqual([1, 2, 3, 4].map(idOf));
  expect(ids(trace.roots)).toEqual([idOf(1)]);
  expect(ids(trace.childrenOf(idOf(1)))).toEqual([idOf(2), idOf(3)]);
  expect(ids(trace.childrenOf(idOf(4)))).toEqual([]);
  expect(ids(trace.childrenOf('no such id'))).toEqual([]);
  const { rows, orphans, duplicates, cycles, open, pendingRows, unfinished, logs } = trace;
  expect({ rows, orphans, duplicates, cycles, open, pendingRows, unfinished, logs }).toEqual({
    rows: 4,
    orphans: [],
    duplicates: [],
    cycles: [],
    open: [],
    pendingRows: 0,
    unfinished: [],
    logs: [],
  });
});

test('of siblings that started in one millisecond the one that ended first comes first, whatever their ids', () => {
  const start = makeSpan(1).startUnixNano;
  const within = (number: number, micros?: bigint): Span =>
    makeSpan(number, 1, {
      startUnixNano: start,
      endUnixNano: micros === undefined ? undefined : start + micros * 1_000n,
    });
  const trace = build(makeSpan(1), within(2), within(3, 900n), within(4, 300n), within(5, 300n));
  expect(ids(trace.spans)).toEqual([1, 4, 5, 3, 2].map(idOf));
});

test('a span whose parent is missing is an orphan, not a root', () => {
  const trace = build(makeSpan(1), makeSpan(2, 9), makeSpan(3, 2));
  expect(ids(trace.roots)).toEqual([idOf(1)]);
  expect(trace.orphans).toEqual([{ spanId: idOf(2), parentSpanId: idOf(9) }]);
});

test('an exact repeat is one span, a differing one a conflict in which the last row counts', () => {
  const same = build(makeSpan(1), makeSpan(2, 1), makeSpan(1), makeSpan(2, 1), makeSpan(2, 1));
  expect(same.rows).toBe(5);
  expect(ids(same.spans)).toEqual([idOf(1), idOf(2)]);
  expect(same.duplicates).toEqual([
    { spanId: idOf(1), rows: 2, same: true },
    { spanId: idOf(2), rows: 3, same: true },
  ]);
  const differing = build(makeSpan(1), makeSpan(2, 1), makeSpan(2, 1, { name: 'rewritten' }));
  expect(differing.duplicates).toEqual([{ spanId: idOf(2), rows: 2, same: false }]);
  expect(differing.spansById.get(idOf(2))?.name).toBe('rewritten');
});

test.each<[string, Partial<Span>]>([
  ['flags', { flags: 257 }],
  ['status message', { status: { code: 'unset', message: 'x' } }],
  ['an attribute', { attributes: attributesOf({ a: 1 }) }],
  ['the end', { endUnixNano: undefined }],
  ['an event', { events: [{ timeUnixNano: 1n, name: 'e', attributes: attributesOf({}), droppedAttributesCount: 0 }] }],
  ['the resource', { resource: { attributes: attributesOf({ 'service.name': 'b' }), droppedAttributesCount: 0 } }],
  ['the scope', { scope: { ...noScope, name: 'other' } }],
  ['the parent', { parentSpanId: idOf(7) }],
  ['a dropped count', { droppedLinksCount: 1 }],
])('rows that differ in %s alone are a conflict', (_, members) => {
  expect(build(makeSpan(1), makeSpan(1, undefined, members)).duplicates).toEqual([
    { spanId: idOf(1), rows: 2, same: false },
  ]);
});

test('the order of attributes is no difference', () => {
  const [a, b] = [attributesOf({ a: 1, b: [Number.NaN] }), attributesOf({ b: [Number.NaN], a: 1 })];
  const trace = build(makeSpan(1, undefined, { attributes: a }), makeSpan(1, undefined, { attributes: b }));
  expect(trace.duplicates).toEqual([{ spanId: idOf(1), rows: 2, same: true }]);
});

test('cycles and self-parents are named and reached from no root', () => {
  const trace = build(makeSpan(1), makeSpan(5, 3), makeSpan(3, 4), makeSpan(4, 5), makeSpan(6, 4), makeSpan(7, 7));
  expect(trace.cycles).toEqual([[idOf(3), idOf(4), idOf(5)], [idOf(7)]]);
  expect(ids(trace.roots)).toEqual([idOf(1)]);
  expect(trace.orphans).toEqual([]);
  expect(ids(trace.childrenOf(idOf(7)))).toEqual([]);
});

test('equal starts of siblings: as one processor saw them start', () => {
  const stamped = (number: number, index: number): Span =>
    makeSpan(number, 1, {
      startUnixNano: makeSpan(2).startUnixNano,
      attributes: attributesOf({ 'otel_eval.segment': 'abcdef0100000001', 'otel_eval.event.index': index }),
    });
  const rows = [makeSpan(1), stamped(2, 3), stamped(3, 2), stamped(4, 11)];
  for (const order of [rows, rows.toReversed()]) {
    expect(build(...order).spans.map(({ spanId }) => spanId)).toEqual([1, 3, 2, 4].map(idOf));
  }
});

test('equal starts: parent before child, then by id, whatever the order of rows', () => {
  const startUnixNano = 5n;
  const rows = [
    makeSpan(1, 4, { startUnixNano }),
    makeSpan(2, 3, { startUnixNano }),
    makeSpan(3, 4, { startUnixNano }),
    makeSpan(4, undefined, { startUnixNano }),
  ];
  const expected = [4, 1, 3, 2].map(idOf);
  expect(ids(build(...rows).spans)).toEqual(expected);
  expect(ids(build(...rows.toReversed()).spans)).toEqual(expected);
});

test('a child that starts before its parent is still its child', () => {
  const trace = build(makeSpan(1, 2), makeSpan(2));
  expect(ids(trace.roots)).toEqual([idOf(2)]);
  expect(ids(trace.childrenOf(idOf(2)))).toEqual([idOf(1)]);
  expect(trace.orphans).toEqual([]);
});

test('spans without an end are open', () => {
  expect(ids(build(makeSpan(1, undefined, { endUnixNano: undefined }), makeSpan(2, 1)).open)).toEqual([idOf(1)]);
});

function pending(number: number, announced: number): Span {
  return makeSpan(number, announced, { attributes: attributesOf({ 'logfire.span_type': 'pending_span' }) });
}

test('pending rows are no spans; one whose span never came leaves the trace unfinished', () => {
  const whole = build(pending(8, 1), makeSpan(1), pending(9, 2), makeSpan(2, 1));
  expect([whole.rows, whole.pendingRows, ids(whole.spans), whole.unfinished]).toEqual([4, 2, [idOf(1), idOf(2)], []]);
  const cut = build(pending(8, 1), makeSpan(2, 1), pending(9, 2));
  expect(cut.unfinished).toEqual([idOf(1)]);
  expect(cut.orphans).toEqual([{ spanId: idOf(2), parentSpanId: idOf(1) }]);
});

test('a SERVER span with the id of its CLIENT span is read as its child, and takes over what hung below', () => {
  const trace = build(
    makeSpan(1),
    makeSpan(2, 1, { kind: 'client' }),
    makeSpan(3, 2),
    makeSpan(2, 1, { kind: 'server', startUnixNano: 1_760_000_000_002_500_000n, name: 'served' }),
  );
  const server = '0000000000000001';
  expect(ids(trace.spans)).toEqual([idOf(1), idOf(2), server, idOf(3)]);
  expect(trace.duplicates).toEqual([]);
  expect(trace.spansById.get(server)).toMatchObject({ name: 'served', parentSpanId: idOf(2) });
  expect(ids(trace.childrenOf(idOf(2)))).toEqual([server]);
  expect(ids(trace.childrenOf(server))).toEqual([idOf(3)]);
});

test('new ids of SERVER spans are the smallest that are free, in order of start, whatever the order of rows', () => {
  const pair = (number: number, start: bigint): Span[] => [
    makeSpan(number, 1, { kind: 'client' }),
    makeSpan(number, 1, { kind: 'server', startUnixNano: start, name: `served ${number}` }),
  ];
  const rows = [makeSpan(1), ...pair(2, 9n), ...pair(3, 8n), makeSpan(4, 1, { spanId: '0000000000000002' })];
  for (const order of [rows, rows.toReversed()]) {
    const { spansById } = build(...order);
    expect(spansById.get('0000000000000001')?.name).toBe('served 3');
    expect(spansById.get('0000000000000003')?.name).toBe('served 2');
  }
});

test('a SERVER span with its own id, and a SERVER span that came twice, are left alone', () => {
  const trace = build(makeSpan(1, undefined, { kind: 'server' }), makeSpan(1, undefined, { kind: 'server' }));
  expect(ids(trace.spans)).toEqual([idOf(1)]);
  expect(trace.duplicates).toEqual([{ spanId: idOf(1), rows: 2, same: true }]);
});

function record(ofTrace: string, time: bigint, observed = 0n): LogRecord {
  return {
    traceId: ofTrace,
    spanId: '',
    timeUnixNano: time,
    observedTimeUnixNano: observed,
    eventName: String(time),
    severityNumber: 0,
    severityText: '',
    body: null,
    attributes: attributesOf({}),
    resource: noResource,
    scope: noScope,
  };
}

test('traces by id in order of appearance, each with its log records in order of time', () => {
  const other = 'b2'.repeat(16);
  const traces = buildTraces(
    [makeSpan(2), makeSpan(1, undefined, { traceId: other }), makeSpan(3, 2)],
    [record(traceId, 7n), record(traceId, 5n), record('', 1n), record(traceId, 0n, 6n), record('c3'.repeat(16), 1n)],
  );
  expect([...traces.keys()]).toEqual([traceId, other]);
  expect(traces.get(traceId)?.logs.map(({ eventName }) => eventName)).toEqual(['5', '0', '7']);
  expect(traces.get(other)?.logs).toEqual([]);
});

test('the order of rows decides nothing, and the quick way gives what the full way gives', () => {
  const row = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }));
  fc.assert(
    fc.property(fc.uniqueArray(row, { selector: ([number]) => number, maxLength: 8 }), fc.boolean(), (rows, ties) => {
      const spans = rows.map(([number, parent]) =>
        makeSpan(number, parent, ties ? { startUnixNano: BigInt(number % 3) } : {}),
      );
      const facts = ({ spans: all, roots, orphans, cycles, childrenOf }: Trace): unknown => [
        ids(all),
        ids(roots),
        orphans,
        cycles,
        all.map(({ spanId }) => ids(childrenOf(spanId))),
      ];
      const forward = facts(build(...spans));
      expect(facts(build(...spans.toReversed()))).toEqual(forward);
      // With an exact repeat the quick way is closed.
      const repeated = spans[0] === undefined ? [] : [spans[0]];
      expect(facts(build(...spans, ...repeated))).toEqual(forward);
      const reached = new Set<string>();
      const walk = (span: Span): void => {
        if (reached.has(span.spanId)) throw new Error('reached twice');
        reached.add(span.spanId);
      };
      const trace = build(...spans);
      const stack = [...trace.roots, ...trace.orphans.map(({ spanId }) => trace.spansById.get(spanId) as Span)];
      for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
        walk(span);
        stack.push(...trace.childrenOf(span.spanId));
      }
      const looped = new Set(trace.cycles.flat());
      const unreached = trace.spans.filter(({ spanId }) => !reached.has(spanId));
      // What no root and no orphan reaches hangs below a cycle.
      for (const span of unreached) {
        let at: Span | undefined = span;
        for (let steps = 0; steps < 9 && at !== undefined && !looped.has(at.spanId); steps += 1) {
          at = trace.spansById.get(at.parentSpanId ?? '');
        }
        expect(looped.has(at?.spanId ?? '')).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('a chain of 20,000 spans, in the worst order, is built', () => {
  const length = 20_000;
  const rows = Array.from({ length }, (_, i) =>
    makeSpan(i, i === 0 ? undefined : i - 1, {
      spanId: (i + 1).toString(16).padStart(16, '0'),
      parentSpanId: i === 0 ? undefined : i.toString(16).padStart(16, '0'),
      startUnixNano: 1n,
    }),
  );
  const trace = build(...rows.reverse());
  expect(trace.spans.at(-1)?.spanId).toBe(length.toString(16).padStart(16, '0'));
  expect([trace.roots.length, trace.orphans.length, trace.cycles.length]).toEqual([1, 0, 0]);
});

test('a trace and a span print as a tree without content', () => {
  const trace = build(
    makeSpan(1, undefined, { name: 'invoke_agent' }),
    makeSpan(2, 1, { name: 'chat', kind: 'client', status: { code: 'error', message: 'secret' } }),
    makeSpan(3, 9, { name: `Please refund\nmy order`, endUnixNano: undefined }),
  );
  expect(inspect(trace)).toBe(
    [
      `Trace ${traceId}: 3 spans, 1 root, 1 orphan`,
      `  invoke_agent 1 ms ${idOf(1)}`,
      `    chat (client) 1 ms ERROR ${idOf(2)}`,
      `  ‹name of 22 characters› not ended ${idOf(3)} (parent ${idOf(9)} missing)`,
    ].join('\n'),
  );
  expect(inspect(trace.spansById.get(idOf(2)))).toBe(`Span chat (client) 1 ms ERROR ${idOf(2)}`);
});
