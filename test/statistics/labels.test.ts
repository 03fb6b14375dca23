import fc from 'fast-check';
import { expect, test } from 'vitest';
import { upperIncompleteGamma } from '../../src/statistics/incomplete-gamma.ts';
import { normalCumulative } from '../../src/statistics/normal.ts';
import { seededRandom } from '../../src/statistics/random.ts';
import { simultaneousIntervals } from '../../src/statistics/simultaneous-intervals.ts';
import { stuartMaxwell } from '../../src/statistics/stuart-maxwell.ts';

test('the chi-square tail equals its closed forms, for even degrees of freedom and for one', () => {
  for (const x of [0.01, 0.5, 1, 3, 7.5, 20, 80]) {
    for (const half of [1, 2, 5, 20]) {
      let term = 1;
      let sum = 1;
      for (let k = 1; k < half; k += 1) {
        term *= x / k;
        sum += term;
      }
      const closed = Math.exp(-x) * sum;
      expect(Math.abs(upperIncompleteGamma(half, x) - closed)).toBeLessThan(1e-12);
    }
    expect(Math.abs(upperIncompleteGamma(0.5, x) - 2 * normalCumulative(-Math.sqrt(2 * x)))).toBeLessThan(1e-12);
  }
});

test('Stuart–Maxwell: a table worked out in fractions, and McNemar with two labels', () => {
  // d = (12, 3, −15); the statistic is 234 ⁄ 17, its p with two degrees of freedom e^(−117 ⁄ 17).
  const three = stuartMaxwell([
    [20, 10, 5],
    [3, 30, 15],
    [0, 5, 40],
  ]);
  expect(three.degreesOfFreedom).toBe(2);
  expect(three.chiSquare).toBeCloseTo(234 / 17, 12);
  expect(three.p).toBeCloseTo(Math.exp(-117 / 17), 12);
  const two = stuartMaxwell([
    [40, 12],
    [3, 45],
  ]);
  expect(two.degreesOfFreedom).toBe(1);
  expect(two.chiSquare).toBeCloseTo(81 / 15, 12);
});

test('Stuart–Maxwell: labels that nobody had or that nobody left say nothing', () => {
  const none = { chiSquare: 0, degreesOfFreedom: 0, p: 1 };
  expect(stuartMaxwell([])).toEqual(none);
  expect(
    stuartMaxwell([
      [5, 0],
      [0, 9],
    ]),
  ).toEqual(none);
  const withUnused = stuartMaxwell([
    [40, 0, 12, 0],
    [0, 0, 0, 0],
    [3, 0, 45, 0],
    [0, 0, 0, 7],
  ]);
  expect(withUnused.degreesOfFreedom).toBe(1);
  expect(withUnused.chiSquare).toBeCloseTo(81 / 15, 12);
  expect(() => stuartMaxwell([[1, 2]])).toThrow('expected a square table, got 2 of 1');
});

test('Stuart–Maxwell does not depend on the order of the labels, and is 0 for equal margins', () => {
  const table = fc.array(fc.array(fc.nat(30), { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(table, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (rows, order) => {
      const moved = order.map((row) => order.map((column) => rows[row]?.[column] ?? 0));
      const symmetric = rows.map((row, a) => row.map((count, b) => count + (rows[b]?.[a] ?? 0)));
      expect(stuartMaxwell(moved).chiSquare).toBeCloseTo(stuartMaxwell(rows).chiSquare, 8);
      expect(stuartMaxwell(symmetric).chiSquare).toBe(0);
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('simultaneous intervals hold together in about 95 of 100 suites, single ones would not', () => {
  const random = seededRandom(7);
  const uniform = (): number => random.nextUint32() / 2 ** 32 - 0.5;
  let held = 0;
  const suites = 120;
  for (let suite = 0; suite < suites; suite += 1) {
    const clusters = Array.from({ length: 30 }, () => [uniform(), uniform(), uniform(), uniform()]);
    const intervals = simultaneousIntervals(clusters, { random, resamples: 300 }) ?? [];
    if (intervals.every(({ lower, upper }) => lower <= 0 && upper >= 0)) held += 1;
  }
  // Four single intervals of 95 % would hold together in 81 %.
  expect(held / suites).toBeGreaterThan(0.9);
  expect(held / suites).toBeLessThan(1);
});

test('simultaneous intervals: no claim from one cluster, no width without variation, same seed same bytes', () => {
  expect(simultaneousIntervals([[1, 2]], { random: seededRandom(1) })).toBeNull();
  const rows = Array.from({ length: 12 }, (_, at) => [0.5, at % 2 === 0 ? 0.25 : -0.25]);
  const [first, second] = simultaneousIntervals(rows, { random: seededRandom(1) }) ?? [];
  expect(first).toEqual({ lower: 0.5, upper: 0.5 });
  expect(second?.lower).toBeLessThan(0);
  expect(simultaneousIntervals(rows, { random: seededRandom(1) })).toEqual([first, second]);
});
