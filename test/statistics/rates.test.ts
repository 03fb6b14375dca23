import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binomialProbability } from '../../src/statistics/binomial-probability.ts';
import { binomialAtLeast, binomialAtMost } from '../../src/statistics/binomial-tail.ts';
import { clopperPearson, clopperPearsonLower, clopperPearsonUpper } from '../../src/statistics/clopper-pearson.ts';
import { logFactorial } from '../../src/statistics/log-factorial.ts';
import { normalCumulative, normalQuantile } from '../../src/statistics/normal.ts';
import { studentQuantile } from '../../src/statistics/student.ts';
import { wilson } from '../../src/statistics/wilson.ts';
import { exactAtLeast, exactAtMost, toUnits } from './exact-binomial.ts';

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

describe('Clopper–Pearson', () => {
  test.each([
    [5, 10, 0.18708603, 0.81291397],
    [0, 200, 0, 0.01827534],
    [199, 200, 0.9724581, 0.99987342],
    [142, 200, 0.64181255, 0.77184301],
  ])('%i of %i is the golden interval', (successes, trials, lower, upper) => {
    const interval = clopperPearson(successes, trials);
    expect([round(interval.lower, 8), round(interval.upper, 8)]).toEqual([lower, upper]);
  });

  test.each([
    [20, 20, 0.861],
    [19, 20, 0.784],
  ])('the one-sided lower bound of %i of %i is %d', (successes, trials, bound) => {
    expect(round(clopperPearsonLower(successes, trials), 3)).toBe(bound);
  });

  test.each([
    [200, 0.015],
    [20, 0.139],
    [3, 0.632],
  ])('%i clean runs bound the rate at %d', (trials, bound) => {
    expect(round(clopperPearsonUpper(0, trials), 3)).toBe(bound);
  });

  test('bounds are within 1e-9 of the ones by exact whole numbers', () => {
    const alpha = 25n * 10n ** 27n; // 0.025
    for (const [k, n] of [
      [1, 1],
      [1, 7],
      [3, 7],
      [1, 59],
      [29, 50],
      [142, 200],
      [1, 1000],
      [990, 1000],
    ] as const) {
      const { lower, upper } = clopperPearson(k, n);
      const at = toUnits(lower);
      expect(exactAtLeast(k, n, at - 1000n) < alpha).toBe(true);
      expect(exactAtLeast(k, n, at + 1000n) > alpha).toBe(true);
      if (k === n) continue;
      const top = toUnits(upper);
      expect(exactAtMost(k, n, top - 1000n) > alpha).toBe(true);
      expect(exactAtMost(k, n, top + 1000n) < alpha).toBe(true);
    }
  });

  test('large counts keep their digits', () => {
    // Tails at the bounds, by another route than the one that found them: sums of single probabilities.
    const { lower, upper } = clopperPearson(9_999, 10_000);
    const sum = (from: number, to: number, p: number): number => {
      let total = 0;
      for (let k = from; k <= to; k += 1) total += binomialProbability(k, 10_000, p);
      return total;
    };
    expect(sum(9_999, 10_000, lower)).toBeCloseTo(0.025, 10);
    expect(sum(0, 9_999, upper)).toBeCloseTo(0.025, 10);
    expect(clopperPearsonUpper(0, 1_000_000)).toBeCloseTo(2.995_727_8e-6, 12);
  });

  test('covers the true rate at least as often as it says, by enumeration up to 50', () => {
    for (const n of [1, 2, 5, 10, 20, 37, 50]) {
      const intervals = Array.from({ length: n + 1 }, (_, k) => clopperPearson(k, n));
      const lowers = Array.from({ length: n + 1 }, (_, k) => clopperPearsonLower(k, n));
      for (let p = 0.005; p < 1; p += 0.005) {
        let covered = 0;
        let bounded = 0;
        for (let k = 0; k <= n; k += 1) {
          const probability = binomialProbability(k, n, p);
          if (intervals[k]!.lower <= p && p <= intervals[k]!.upper) covered += probability;
          if (lowers[k]! <= p) bounded += probability;
        }
        expect(covered).toBeGreaterThanOrEqual(0.95 - 1e-12);
        expect(bounded).toBeGreaterThanOrEqual(0.95 - 1e-12);
      }
    }
  });

  test('grows with the successes, narrows with the trials, and widens with the confidence', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (trials, draw) => {
        const successes = draw % trials;
        const here = clopperPearson(successes, trials);
        const next = clopperPearson(successes + 1, trials);
        const wide = clopperPearson(successes, trials, 0.99);
        return (
          here.lower < next.lower &&
          (here.upper < next.upper || next.upper === 1) &&
          wide.lower <= here.lower &&
          wide.upper >= here.upper &&
          here.lower <= successes / trials &&
          successes / trials <= here.upper
        );
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test('refuses counts that cannot be', () => {
    expect(() => clopperPearson(3, 2)).toThrow(
      new RangeError('expected whole numbers 0 ≤ successes ≤ trials, got 3 of 2'),
    );
    expect(() => clopperPearson(1.5, 2)).toThrow(RangeError);
    expect(() => clopperPearsonLower(1, 2, 95)).toThrow(new RangeError('expected confidence between 0 and 1, got 95'));
  });

  test('says nothing without trials', () => {
    expect(clopperPearson(0, 0)).toEqual({ lower: 0, upper: 1 });
    expect(wilson(0, 0)).toEqual({ lower: 0, upper: 1 });
  });
});

describe('Wilson', () => {
  test.each([
    [188, 200, 0.898, 0.965],
    [10, 200, 0.027, 0.09],
    [20, 20, 0.839, 1],
  ])('%i of %i', (successes, trials, lower, upper) => {
    const interval = wilson(successes, trials);
    expect([round(interval.lower, 3), round(interval.upper, 3)]).toEqual([lower, upper]);
  });

  test.each([
    [0.95, 0.925, 0.984],
    [0.98, 0.94, 0.993],
  ])('coverage at 20 runs and rate %d is %d (exact: %d), as the design says', (p, wilsonCoverage, exactCoverage) => {
    const coverage = (interval: (k: number, n: number) => { lower: number; upper: number }): number => {
      let sum = 0;
      for (let k = 0; k <= 20; k += 1) {
        const { lower, upper } = interval(k, 20);
        if (lower <= p && p <= upper) sum += binomialProbability(k, 20, p);
      }
      return round(sum, 3);
    };
    expect([coverage(wilson), coverage(clopperPearson)]).toEqual([wilsonCoverage, exactCoverage]);
  });
});

describe('the functions beneath', () => {
  test('binomial tails equal exact sums to 1e-12', () => {
    for (const [k, n, p] of [
      [0, 5, 0.3],
      [3, 5, 0.3],
      [7, 50, 0.25],
      [30, 200, 0.1],
      [199, 200, 0.999],
      [1, 1000, 0.000_5],
    ] as const) {
      expect(binomialAtLeast(k, n, p)).toBeCloseTo(Number(exactAtLeast(k, n, toUnits(p))) / 1e30, 12);
      expect(binomialAtMost(k, n, p)).toBeCloseTo(Number(exactAtMost(k, n, toUnits(p))) / 1e30, 12);
    }
  });

  test('a far tail keeps its relative precision', () => {
    const exact = Number(exactAtLeast(60, 100, toUnits(0.2))) / 1e30;
    expect(binomialAtLeast(60, 100, 0.2) / exact).toBeCloseTo(1, 5);
    expect(binomialAtLeast(100, 100, 0.1)).toBeCloseTo(1e-100, 110);
  });

  test('log factorials', () => {
    expect(logFactorial(0)).toBeCloseTo(0, 14);
    expect(logFactorial(20)).toBeCloseTo(Math.log(2_432_902_008_176_640_000), 12);
    expect(logFactorial(-0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13);
  });

  test('the normal distribution', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 13);
    expect(normalQuantile(0.95)).toBeCloseTo(1.6448536269514722, 13);
    expect(normalQuantile(0.8)).toBeCloseTo(0.8416212335729143, 13);
    expect(normalQuantile(1e-10)).toBeCloseTo(-6.361340902404056, 11);
    expect(normalQuantile(0.5)).toBe(0);
    expect(normalCumulative(-1.959963984540054)).toBeCloseTo(0.025, 14);
    expect(normalCumulative(4)).toBeCloseTo(0.9999683287581669, 14);
  });

  test("Student's t", () => {
    expect(studentQuantile(0.975, 1)).toBeCloseTo(12.706204736174, 9);
    expect(studentQuantile(0.975, 19)).toBeCloseTo(2.0930240544083, 11);
    expect(studentQuantile(0.025, 5)).toBeCloseTo(-2.5705818356363, 11);
    expect(studentQuantile(0.975, 1e6)).toBeCloseTo(1.95996, 4);
  });
});
