import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binomialProbability } from '../../src/statistics/binomial-probability.ts';
import { fisher } from '../../src/statistics/fisher.ts';
import { passHatK } from '../../src/statistics/pass-hat-k.ts';
import { rateAtLeast, rateAtMost } from '../../src/statistics/rate-claim.ts';
import { decidedAlready, passesForPassHatK, passesForRate } from '../../src/statistics/required-passes.ts';
import {
  chanceToSee,
  furtherRunsAtLeast,
  furtherRunsAtMost,
  runsPerArm,
  runsToSee,
} from '../../src/statistics/sample-size.ts';

describe('sample sizes of the design', () => {
  test.each([
    [0.05, 59],
    [0.08, 36],
    [0.01, 299],
  ])('a tail of %d is seen with %i runs', (rate, runs) => {
    expect(runsToSee(rate)).toBe(runs);
  });

  test('twelve runs still miss one in twelve-and-a-half 37 % of the time; 200 miss 5 % hardly ever', () => {
    expect((1 - chanceToSee(0.08, 12)).toFixed(2)).toBe('0.37');
    expect(((1 - chanceToSee(0.05, 200)) * 100).toFixed(4)).toBe('0.0035');
  });

  test.each([
    [0.065, 0.005, 147],
    [0.94, 0.9, 721],
    [0.08, 0.065, 4_691],
  ])('%d from %d takes %i runs per arm', (first, second, runs) => {
    expect(runsPerArm(first, second)).toBe(runs);
  });

  test('100 % from 71 % takes 22 by this formula, and 24 by the exact test are surely enough', () => {
    expect(runsPerArm(1, 0.71)).toBe(22);
    let power = 0;
    for (let passes = 0; passes <= 24; passes += 1) {
      const significant = fisher({ successes: 24, trials: 24 }, { successes: passes, trials: 24 }) <= 0.05;
      if (significant) power += binomialProbability(passes, 24, 0.71);
    }
    expect(power.toFixed(3)).toBe('0.868');
  });

  test('equal rates are never told apart', () => {
    expect(runsPerArm(0.9, 0.9)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('how many more runs', () => {
  test('from nothing: the zero-failure sizes', () => {
    expect(furtherRunsAtMost(0, 0, 0.05)).toEqual({ atBest: 59, atObservedRate: 59 });
    expect(furtherRunsAtLeast(0, 0, 0.85)).toEqual({ atBest: 19, atObservedRate: 19 });
  });

  test('one failure costs: 19 of 20 needs ten more clean ones', () => {
    const { atBest } = furtherRunsAtLeast(19, 20, 0.85);
    expect(atBest).toBe(10);
    expect([rateAtLeast(28, 29, 0.85), rateAtLeast(29, 30, 0.85)]).toEqual(['insufficient', 'pass']);
  });

  test('decided claims need none; a rate beyond the bound never gets there by itself', () => {
    expect(furtherRunsAtMost(0, 59, 0.05)).toEqual({ atBest: 0, atObservedRate: 0 });
    expect(furtherRunsAtLeast(10, 20, 0.85).atObservedRate).toBeNull();
    expect(furtherRunsAtLeast(20, 20, 1).atBest).toBeNull();
  });

  test('the number of clean runs given is enough, and one less is not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(), fc.integer({ min: 50, max: 95 }), (n, draw, percent) => {
        const passes = draw % (n + 1);
        const { atBest } = furtherRunsAtLeast(passes, n, percent / 100);
        if (atBest === null) return false;
        const decision = (more: number): string => rateAtLeast(passes + more, n + more, percent / 100);
        return decision(atBest) === 'pass' && (atBest === 0 || decision(atBest - 1) !== 'pass');
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});

describe('pass^k', () => {
  test('is C(passes, k) / C(trials, k), and null with too few trials', () => {
    expect(passHatK(4, 5, 3)).toBeCloseTo(0.4, 14);
    expect([passHatK(5, 5, 3), passHatK(2, 5, 3), passHatK(2, 2, 3)]).toEqual([1, 0, null]);
    expect(() => passHatK(1, 1, 0)).toThrow(new RangeError('expected k to be a whole number from 1, got 0'));
  });

  test('is unbiased where the power of the rate is not: 0.512 against 0.585', () => {
    let unbiased = 0;
    let plugIn = 0;
    for (let passes = 0; passes <= 5; passes += 1) {
      const probability = binomialProbability(passes, 5, 0.8);
      unbiased += probability * (passHatK(passes, 5, 3) ?? Number.NaN);
      plugIn += probability * (passes / 5) ** 3;
    }
    expect([unbiased.toFixed(3), plugIn.toFixed(3)]).toEqual(['0.512', '0.585']);
  });
});

describe('decided already', () => {
  test('2 of 3', () => {
    expect([decidedAlready(2, 2, 1), decidedAlready(2, 0, 1), decidedAlready(2, 1, 1)]).toEqual([
      'passed',
      'failed',
      'open',
    ]);
  });

  test('passes needed', () => {
    expect([passesForRate(20, 0.85), passesForRate(18, 0.85), passesForRate(59, 0.95)]).toEqual([20, null, 59]);
    expect([passesForPassHatK(5, 3, 0.4), passesForPassHatK(5, 3, 1), passesForPassHatK(2, 3, 0.1)]).toEqual([
      4,
      5,
      null,
    ]);
  });

  test('stopping early never changes the verdict', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 50, max: 95 }),
        (runs, percent) => {
          const required = passesForRate(runs.length, percent / 100);
          if (required === null) return true;
          const whole = runs.filter(Boolean).length >= required ? 'passed' : 'failed';
          let passed = 0;
          for (const [index, ok] of runs.entries()) {
            if (ok) passed += 1;
            const early = decidedAlready(required, passed, runs.length - index - 1);
            if (early !== 'open') return early === whole;
          }
          return false;
        },
      ),
      { seed: 4, numRuns: 200 },
    );
  });

  test('"at most" mirrors "at least"', () => {
    for (let bad = 0; bad <= 40; bad += 1) {
      expect(rateAtMost(bad, 40, 0.25)).toBe(rateAtLeast(40 - bad, 40, 0.75));
    }
  });
});
