import { describe, expect, test } from 'vitest';
import { countExpectation, judgeCount, judgeHeap, type Range, rangeOf, wantedText } from '../../src/verdict/count.ts';
import { fc, test as prop } from './property.ts';

describe('quantifiers', () => {
  test.each([
    [{}, 'expected one of atLeast, atMost, exactly or none, got none of them'],
    [{ exactly: 1, none: true }, 'expected exactly or none to stand alone, got several quantifiers'],
    [{ exactly: 1, atMost: 2 }, 'expected exactly or none to stand alone, got several quantifiers'],
    [{ atLeast: 0 }, 'expected atLeast to be 1 or more, got 0, which holds of anything'],
    [{ atLeast: 3, atMost: 2 }, 'expected atLeast to be no more than atMost, got 3 and 2'],
  ])('%j is refused', (expectation, message) => {
    expect(countExpectation.safeParse(expectation).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test.each([{ exactly: -1 }, { exactly: 1.5 }, { atLeast: '1' }, { none: false }])('%j is refused', (expectation) => {
    expect(countExpectation.safeParse(expectation).success).toBe(false);
  });

  // 0 is a number like others, not "unset".
  test.each([
    [{ exactly: 0 }, { low: 0, high: 0 }, 'no call'],
    [{ atMost: 0 }, { low: 0, high: 0 }, 'no call'],
    [{ none: true }, { low: 0, high: 0 }, 'no call'],
    [{ atLeast: 2 }, { low: 2, high: Number.POSITIVE_INFINITY }, 'at least 2 calls'],
    [{ atMost: 1 }, { low: 0, high: 1 }, 'at most 1 call'],
    [{ exactly: 1 }, { low: 1, high: 1 }, 'exactly 1 call'],
    [{ atLeast: 0, atMost: 3 }, { low: 0, high: 3 }, 'at most 3 calls'],
    [{ atLeast: 1, atMost: 3 }, { low: 1, high: 3 }, '1 to 3 calls'],
  ] as const)('%j means %j: %s', (expectation, range, text) => {
    expect(rangeOf(countExpectation.parse(expectation))).toEqual(range);
    expect(wantedText(range, 'call')).toBe(text);
  });
});

const range = fc
  .tuple(fc.nat(3), fc.oneof(fc.nat(3), fc.constant(Number.POSITIVE_INFINITY)))
  .map(([low, more]): Range => ({ low, high: low + more }));

prop(
  'a count with merely possible ones is decided only where both ends agree',
  [fc.nat(5), fc.nat(3), range],
  (certain, more, wanted) => {
    const verdict = judgeCount({ certain, possible: certain + more }, wanted);
    const verdicts = new Set(
      Array.from({ length: more + 1 }, (_, i) => judgeCount({ certain: certain + i, possible: certain + i }, wanted)),
    );
    if (verdicts.size === 1) expect([...verdicts]).toEqual([verdict]);
    else expect(verdict).toBe('open');
  },
);

/** All ways to group items 0 … n-1. */
function partitions(count: number): number[][][] {
  if (count === 0) return [[]];
  return partitions(count - 1).flatMap((groups) => [
    [...groups, [count - 1]],
    ...groups.map((_, i) => groups.map((group, j) => (i === j ? [...group, count - 1] : group))),
  ]);
}

prop(
  'a heap is decided only where every way to group its traces gives the same verdict',
  [fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }), range],
  (counts, wanted) => {
    const groupings = partitions(counts.length).map((groups) => {
      const sums = groups.map((group) => group.reduce((sum, i) => sum + (counts[i] ?? 0), 0));
      return sums.every((sum) => sum >= wanted.low && sum <= wanted.high);
    });
    const tallies = counts.map((certain) => ({ certain, possible: certain }));
    const verdict = judgeHeap(tallies, { certain: 0, possible: 0 }, wanted);
    if (verdict === 'met') expect(groupings).not.toContain(false);
    else if (verdict !== 'grouping') expect(groupings).not.toContain(true);
    // Not too shy either: with a bound on one side only, what every grouping agrees on is decided.
    if (wanted.low === 0 || wanted.high === Number.POSITIVE_INFINITY) {
      expect(verdict === 'grouping').toBe(new Set(groupings).size === 2);
    }
  },
);

test('two refunds in two traces do not pass "at most one"', () => {
  const one = { certain: 1, possible: 1 };
  const none = { certain: 0, possible: 0 };
  expect(judgeHeap([one, one], none, { low: 0, high: 1 })).toBe('grouping');
  expect(judgeHeap([one, none], none, { low: 0, high: 1 })).toBe('met');
  expect(judgeHeap([one, none], none, { low: 1, high: 1 })).toBe('grouping');
  expect(judgeHeap([none, none], { certain: 2, possible: 2 }, { low: 0, high: 1 })).toBe('grouping');
});
