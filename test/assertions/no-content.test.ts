import { expect, test } from 'vitest';
import { assertions } from '../../assertions/index.ts';
import type { SpanSketch } from '../view-builder.ts';
import { viewOf } from '../view-builder.ts';
import { mutationTables } from './mutations/tables.ts';

// Law 4: whatever a trace says, a verdict tells names, ids and counts of it.
const sentinel = 'SENTINEL-7f3a';
const longName = `${sentinel} ${'x'.repeat(90)}`;
const nameWithBreak = `${sentinel}\nsecond line`;

/** Every text of content replaced or joined by a sentinel; names that are content too. */
function laden(spans: readonly SpanSketch[]): SpanSketch[] {
  return spans.map((span, index) => ({
    ...span,
    name: index === 1 ? longName : index === 2 ? nameWithBreak : (span.name ?? ''),
    attributes: Object.fromEntries(
      Object.entries(span.attributes ?? {}).map(([key, value]) => [key, withSentinel(key, value)]),
    ),
    events: [...(span.events ?? []), { name: 'exception', attributes: { 'exception.message': sentinel } }],
  }));
}

function withSentinel(key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/messages|arguments|result/.test(key)) return value;
  return value.replace(/ORD-1001|40 euros|policy-7|refunded|paid|cannot/g, sentinel);
}

const cases = mutationTables.flatMap(({ assertion, mutations }) =>
  mutations.map((mutation) => ({ name: `${assertion.id}: ${mutation.what}`, assertion, mutation })),
);

test.each(cases)('$name', ({ assertion, mutation }) => {
  const parameters = assertion.parameters.parse(mutation.parameters);
  const view = viewOf(laden(mutation.after), { ...mutation.options, digestKey: 'key' });
  expect(JSON.stringify(assertion.evaluate(view, parameters))).not.toContain('SENTINEL');
});

test('texts of the suite that stand for content are not told either', () => {
  const secret = { text: sentinel, without: 'euros' };
  const contains = assertions.find(({ id }) => id === 'ResponseContains');
  const called = assertions.find(({ id }) => id === 'ToolCalled');
  const view = viewOf(mutationTables[0]?.mutations[0]?.after ?? []);
  const wanted = { match: { tool: 'issue_refund', arguments: { order_id: sentinel } } };
  const verdicts = [
    contains?.evaluate(view, contains.parameters.parse(secret)),
    called?.evaluate(view, called.parameters.parse(wanted)),
  ];
  expect(verdicts.map((verdict) => verdict?.status)).toEqual(['failed', 'failed']);
  expect(JSON.stringify(verdicts)).not.toContain(sentinel);
});
