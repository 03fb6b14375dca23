import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spansMatch } from '../../assertions/spans-match.ts';
import type { SpanQuery } from '../../src/trace/span-query.ts';
import { type SpanSketch, type ViewOptions, viewOf } from '../view-builder.ts';

// Design §5: a verdict that is reached on a part of a trace must be that of the whole trace.

const part: ViewOptions = { kind: 'tempo', facts: { remote: true, ended: false } };
const names = ['a', 'b', 'c'];

const trees = fc
  .array(
    fc.record({
      name: fc.constantFrom(...names),
      error: fc.boolean(),
      above: fc.nat(),
      short: fc.boolean(),
      kept: fc.boolean(),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .map((nodes) =>
    nodes.map(({ name, error, above, short, kept }, at) => ({
      kept,
      sketch: {
        id: String(at + 1),
        name,
        start: at,
        end: short ? at + 1 : 100,
        ...(at === 0 ? {} : { parent: String((above % at) + 1) }),
        ...(error ? { status: 'error' } : {}),
      } as SpanSketch,
    })),
  );

const { query } = fc.letrec<{ query: SpanQuery }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 2 },
    fc.record({ name: fc.constantFrom(...names) }),
    fc.constant({ status: 'error' } as const),
    fc
      .constantFrom('childOf', 'under', 'parentOf', 'above', 'after', 'not')
      .chain((key) => tie('query').map((q) => ({ [key]: q }))),
    fc.tuple(tie('query'), tie('query')).map((all) => ({ all })),
    fc.tuple(tie('query'), tie('query')).map((any) => ({ any })),
  ),
}));

const expectation = fc.oneof(
  query.map((every) => ({ every })),
  query.map((none) => ({ none })),
  fc.record({ atLeast: fc.integer({ min: 1, max: 3 }), that: query }),
  fc.record({ atMost: fc.nat(2), that: query }),
  fc.record({ exactly: fc.nat(3) }),
);

test('a verdict on a part of a trace is never another one on the whole', () => {
  let decided = 0;
  fc.assert(
    fc.property(trees, query, expectation, (tree, match, expect_) => {
      const kept = tree.filter((node) => node.kept).map(({ sketch }) => sketch);
      if (kept.length === 0) return;
      const parameters = spansMatch.parameters.parse({ match, expect: expect_, allowEmpty: 'a property' });
      const onPart = spansMatch.evaluate(viewOf(kept, part), parameters).status;
      if (onPart === 'inconclusive') return;
      decided += 1;
      const whole = tree.map(({ sketch }) => sketch);
      expect(spansMatch.evaluate(viewOf(whole), parameters).status).toBe(onPart);
    }),
    { seed: 11, numRuns: 1_200 },
  );
  expect(decided).toBeGreaterThan(100);
});
