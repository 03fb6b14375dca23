import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SpanUnion } from '../../../collectors/polling/span-union.ts';
import type { Span } from '../../../src/trace/span.ts';
import { id, StampedProcess } from '../../trace/stamped-process.ts';

const plain = new StampedProcess({ stamps: false });
for (let i = 1; i <= 6; i++) plain.run(id(i), i === 1 ? {} : { parent: id(1) });
const spans = plain.exported;

function union(...answers: readonly (readonly Span[])[]): SpanUnion {
  const made = new SpanUnion();
  for (const answer of answers) made.take(answer);
  return made;
}

const ids = (rows: readonly Span[]) => rows.map(({ spanId }) => spanId).sort();

test('never loses a span, and tells growth and wholeness', () => {
  fc.assert(
    fc.property(fc.array(fc.subarray(spans), { maxLength: 8 }), (answers) => {
      const made = new SpanUnion();
      const seen = new Set<string>();
      for (const answer of answers) {
        const here = new Set(ids(answer));
        const grew = answer.some(({ spanId }) => !seen.has(spanId));
        const whole = [...seen].every((spanId) => here.has(spanId));
        expect(made.take(answer)).toEqual({ grew, whole });
        for (const spanId of here) seen.add(spanId);
        expect(ids(made.rows)).toEqual([...seen].sort());
      }
    }),
  );
});

test('rows that repeat inside one answer stay; across answers the newest count', () => {
  const [first, second] = spans as [Span, Span];
  const changed = { ...second, name: 'changed' };
  expect(union([first, second, second]).rows.length).toBe(3);
  expect(union([first, second], [first, changed]).rows).toEqual([first, changed]);
  expect(union([first, second, changed], [first]).rows).toEqual([second, changed, first]);
});

test('a SERVER span with a made-up id stays one span when the id changes from poll to poll', () => {
  const client = { ...(spans[0] as Span), spanId: 'd100000000000002', kind: 'client' as const };
  const server = (spanId: string): Span => ({ ...client, spanId, parentSpanId: client.spanId, kind: 'server' });
  const below = (parentSpanId: string): Span => ({
    ...client,
    spanId: 'd100000000000003',
    parentSpanId,
    kind: 'internal',
  });
  const one = '0000000000000001';
  const two = '0000000000000002';
  const made = union([client, server(one), below(one)]);
  expect(made.take([client, server(two), below(two)])).toEqual({ grew: false, whole: true });
  expect(ids(made.rows)).toEqual([two, 'd100000000000002', 'd100000000000003']);
  // A smaller answer with yet another id: what was kept hangs under the id that counts now.
  expect(made.take([client, server(one)])).toEqual({ grew: false, whole: false });
  expect(made.rows.map(({ spanId, parentSpanId }) => [spanId, parentSpanId])).toEqual([
    ['d100000000000003', one],
    ['d100000000000002', undefined],
    [one, 'd100000000000002'],
  ]);
});

test('a small id on a SERVER span that is a root is its own', () => {
  const root: Span = { ...(spans[0] as Span), spanId: '0000000000000001', kind: 'server' };
  const other: Span = { ...root, spanId: '0000000000000002' };
  expect(union([root], [other]).rows.length).toBe(2);
});
