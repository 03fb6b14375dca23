import { describe, expect, test } from 'vitest';
import { binomialProbability } from '../../src/statistics/binomial-probability.ts';
import { quantileBounds } from '../../src/statistics/censored-quantile.ts';
import { quantileLowerRank, quantileRanks, quantileUpperRank } from '../../src/statistics/order-statistic.ts';
import { rateAtLeast, rateAtMost } from '../../src/statistics/rate-claim.ts';

describe('ranks around a quantile', () => {
  test('p95 of 200 runs lies between ranks 184 and 197 (96.7 %), below rank 196 one-sided', () => {
    const ranks = quantileRanks(200, 0.95);
    expect([ranks.lowerRank, ranks.upperRank, Number(ranks.coverage.toFixed(3))]).toEqual([184, 197, 0.967]);
    expect(quantileUpperRank(200, 0.95)).toBe(196);
  });

  test('a two-sided interval for p95 exists from 72 runs on, a one-sided bound from 59', () => {
    expect([quantileRanks(71, 0.95).upperRank, quantileRanks(72, 0.95).upperRank]).toEqual([null, 72]);
    expect([quantileUpperRank(58, 0.95), quantileUpperRank(59, 0.95)]).toEqual([null, 59]);
  });

  test('the median of few runs has no bound', () => {
    expect(quantileRanks(0, 0.5)).toEqual({ lowerRank: null, upperRank: null, coverage: 1 });
    expect([quantileLowerRank(4, 0.5), quantileLowerRank(5, 0.5)]).toEqual([null, 1]);
  });

  test('coverage is as said for every size up to 50, by enumeration', () => {
    for (let size = 1; size <= 50; size += 1) {
      for (const quantile of [0.1, 0.5, 0.9, 0.95]) {
        const { lowerRank, upperRank, coverage } = quantileRanks(size, quantile);
        // The number of values below the quantile is binomial; rank r is at most the quantile iff at least r are below.
        let inside = 0;
        for (let below = 0; below <= size; below += 1) {
          const covered = (lowerRank === null || lowerRank <= below) && (upperRank === null || upperRank > below);
          if (covered) inside += binomialProbability(below, size, quantile);
        }
        expect(inside).toBeCloseTo(coverage, 10);
        expect(coverage).toBeGreaterThanOrEqual(0.95 - 1e-12);
      }
    }
  });
});

describe('a quantile with censored values', () => {
  const runs = (values: readonly number[], censored: number, cap: number) => [
    ...values.map((value) => ({ value, censored: false })),
    ...Array.from({ length: censored }, () => ({ value: cap, censored: true })),
  ];

  test('no interpolation, ties allowed', () => {
    const bounds = quantileBounds(
      runs(
        Array.from({ length: 200 }, (_, index) => index + 1),
        0,
        0,
      ),
      0.95,
    );
    expect(bounds).toMatchObject({ estimate: { atLeast: 190, atMost: 190 }, lower: 184, upper: 197 });
  });

  test('8 % at the cap: p95 is not a number but "at least the cap"', () => {
    const bounds = quantileBounds(
      runs(
        Array.from({ length: 184 }, () => 2),
        16,
        12,
      ),
      0.95,
    );
    expect(bounds).toMatchObject({ size: 200, censored: 16, estimate: { atLeast: 12, atMost: null }, upper: null });
    expect(bounds?.lower).toBe(2);
  });

  test('0.5 % at the cap leaves p95 a number', () => {
    const bounds = quantileBounds(
      runs(
        Array.from({ length: 199 }, () => 3),
        1,
        12,
      ),
      0.95,
    );
    expect(bounds).toMatchObject({ estimate: { atLeast: 3, atMost: 3 }, lower: 3, upper: 3 });
  });

  test('a value censored below others may lie above them', () => {
    const bounds = quantileBounds(runs([5, 6, 7], 1, 1), 0.5);
    expect(bounds?.estimate).toEqual({ atLeast: 5, atMost: 6 });
  });

  test('nothing measured, nothing said', () => {
    expect(quantileBounds([], 0.95)).toBeNull();
  });
});

describe('"p95 is within the bound"', () => {
  test.each([
    [59, 0, 7],
    [93, 1, 9],
    [100, 1, 10],
    [200, 4, 16],
    [400, 12, 28],
    [1000, 38, 63],
  ])('%i runs: passed with %i exceedances, failed from %i', (runs, most, fewest) => {
    if (runs !== 93) {
      expect([rateAtMost(fewest - 1, runs, 0.05), rateAtMost(fewest, runs, 0.05)]).toEqual(['insufficient', 'fail']);
    }
    expect([rateAtMost(most, runs, 0.05), rateAtMost(most + 1, runs, 0.05)]).toEqual(['pass', 'insufficient']);
  });

  test('58 clean runs do not show it, nor does none', () => {
    expect([rateAtMost(0, 58, 0.05), rateAtMost(0, 0, 0.05)]).toEqual(['insufficient', 'insufficient']);
  });

  test('a share of at least 0.85: 19 or 20 all valid do, 19 of 20 does not', () => {
    expect([18, 19, 20].map((n) => rateAtLeast(n, n, 0.85))).toEqual(['insufficient', 'pass', 'pass']);
    expect([rateAtLeast(19, 20, 0.85), rateAtLeast(10, 20, 0.85), rateAtLeast(0, 0, 0.85)]).toEqual([
      'insufficient',
      'fail',
      'insufficient',
    ]);
  });
});
