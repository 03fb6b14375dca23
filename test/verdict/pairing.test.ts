import { expect, test } from 'vitest';
import { maximumPairing } from '../../src/verdict/pairing.ts';
import { fc, test as prop } from './property.ts';

/** The most pairs, found by trying everything. */
function most(edges: readonly (readonly boolean[])[], left = 0, taken: ReadonlySet<number> = new Set()): number {
  const row = edges[left];
  if (row === undefined) return 0;
  const with1 = row.map((fits, right) =>
    fits && !taken.has(right) ? 1 + most(edges, left + 1, new Set([...taken, right])) : 0,
  );
  return Math.max(most(edges, left + 1, taken), ...with1);
}

const edges = fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), { maxLength: 5 });

prop('as many pairs as there can be, each item once, only of those that fit', [edges], (matrix) => {
  const pairs = maximumPairing(matrix.length, 5, (left, right) => matrix[left]?.[right] === true);
  const rights = pairs.filter((right) => right !== undefined);
  expect(new Set(rights).size).toBe(rights.length);
  expect(pairs.every((right, left) => right === undefined || matrix[left]?.[right])).toBe(true);
  expect(rights.length).toBe(most(matrix));
});

test('does not depend on which expectation comes first', () => {
  expect(maximumPairing(2, 2, (left, right) => left === 0 || right === 0)).toEqual([1, 0]);
});

test('a long chain of exchanges does not use up the stack', () => {
  const count = 3_000;
  const pairs = maximumPairing(
    count,
    count,
    (left, right) => right === left || right === left - 1 || (left === count - 1 && right === 0),
  );
  expect(pairs.filter((right) => right !== undefined)).toHaveLength(count);
});
