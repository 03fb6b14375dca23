import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binomialProbability } from '../../src/statistics/binomial-probability.ts';
import { bootstrap } from '../../src/statistics/bootstrap.ts';
import { clusterMean } from '../../src/statistics/cluster-mean.ts';
import { fisher, fisherWorse, powerToNotice } from '../../src/statistics/fisher.ts';
import { holm } from '../../src/statistics/holm.ts';
import { mcnemar } from '../../src/statistics/mcnemar.ts';
import { mean } from '../../src/statistics/mean.ts';
import { nonInferiority } from '../../src/statistics/non-inferiority.ts';
import { permutationTest, signFlip } from '../../src/statistics/permutation.ts';
import { randomIndex, seededRandom, shuffled } from '../../src/statistics/random.ts';

describe('exact tests', () => {
  test('McNemar: 6 to 0 is the smallest split significant at 5 %', () => {
    expect([mcnemar(6, 0).p, mcnemar(5, 0).p, mcnemar(0, 6).p]).toEqual([0.03125, 0.0625, 0.03125]);
    expect([mcnemar(6, 0).midP, mcnemar(0, 0).p]).toEqual([0.015625, 1]);
    expect([mcnemar(3, 3), mcnemar(1, 8).p]).toEqual([{ p: 1, midP: 1 }, 0.0390625]);
  });

  test('Fisher: the two comparisons of the design', () => {
    const of = (a: number, b: number) => fisher({ successes: a, trials: 200 }, { successes: b, trials: 200 });
    expect(of(16, 13).toFixed(2)).toBe('0.70');
    expect(of(13, 1).toFixed(4)).toBe('0.0015');
  });

  test('Fisher equals the sum over exact tables', () => {
    // The tea-tasting table: 34 of 70 arrangements are as improbable.
    expect(fisher({ successes: 3, trials: 4 }, { successes: 1, trials: 4 })).toBeCloseTo(34 / 70, 13);
    const choose = (n: number, k: number): bigint => {
      let result = 1n;
      for (let i = 0; i < k; i += 1) result = (result * BigInt(n - i)) / BigInt(i + 1);
      return k < 0 || k > n ? 0n : result;
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(40),
        fc.nat(40),
        (n, m, x, y) => {
          const [a, b] = [x % (n + 1), y % (m + 1)];
          const ways = (i: number): bigint => choose(n, i) * choose(m, a + b - i);
          let asFar = 0n;
          for (let i = 0; i <= a + b; i += 1) if (ways(i) <= ways(a)) asFar += ways(i);
          const exact = Number((asFar * 10n ** 18n) / choose(n + m, a + b)) / 1e18;
          return Math.abs(fisher({ successes: a, trials: n }, { successes: b, trials: m }) - exact) < 1e-9;
        },
      ),
      { seed: 2, numRuns: 200 },
    );
  });

  test('one-sided: both sides overlap in the observed table', () => {
    const tea = { successes: 3, trials: 4 };
    const other = { successes: 1, trials: 4 };
    expect(fisherWorse(tea, other)).toBeCloseTo(17 / 70, 13);
    expect(fisherWorse(other, tea)).toBeCloseTo(69 / 70, 13);
    expect(fisherWorse({ successes: 4, trials: 4 }, { successes: 4, trials: 4 })).toBe(1);
  });

  test('the power is the probability of all tables that are noticed', () => {
    let direct = 0;
    for (let a = 0; a <= 12; a += 1) {
      for (let b = 0; b <= 9; b += 1) {
        if (fisherWorse({ successes: a, trials: 12 }, { successes: b, trials: 9 }) > 0.05) continue;
        direct += binomialProbability(a, 12, 0.9) * binomialProbability(b, 9, 0.5);
      }
    }
    expect(powerToNotice({ rate: 0.9, trials: 12 }, { rate: 0.5, trials: 9 })).toBeCloseTo(direct, 12);
    for (const rate of [0.3, 0.8, 0.95]) {
      expect(powerToNotice({ rate, trials: 60 }, { rate, trials: 20 })).toBeLessThanOrEqual(0.05);
    }
  });

  test('Holm, in the order given', () => {
    expect(holm([0.01, 0.04, 0.03]).map((p) => Number(p.toFixed(12)))).toEqual([0.03, 0.06, 0.06]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});

describe('seeded randomness', () => {
  test('same seed, same numbers, on every machine', () => {
    const random = seededRandom(41);
    expect([random.nextUint32(), random.nextUint32(), random.nextUint32()]).toEqual([
      284_860_308, 2_266_427_222, 2_715_016_073,
    ]);
    expect(seededRandom(42).nextUint32()).not.toBe(seededRandom(41).nextUint32());
    expect(seededRandom(41 + 2 ** 32).nextUint32()).not.toBe(seededRandom(41).nextUint32());
  });

  test('indices are even', () => {
    const random = seededRandom(1);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let draw = 0; draw < 60_000; draw += 1) counts[randomIndex(random, 6)]! += 1;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquare).toBeLessThan(20.5); // 0.1 % point of five degrees
  });

  test('shuffling keeps every item and every order is as likely', () => {
    const random = seededRandom(3);
    const counts = new Map<string, number>();
    for (let draw = 0; draw < 6_000; draw += 1) {
      const order = shuffled(random, [1, 2, 3]).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['123', '132', '213', '231', '312', '321']);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});

describe('clusters', () => {
  const rates = [1, 0.8, 0.6, 1, 0.9, 0.4, 1, 1, 0.7, 0.95, 0.85, 1];

  test('the bootstrap interval depends on the seed alone', () => {
    const of = (seed: number) => bootstrap(rates, mean, { random: seededRandom(seed) });
    expect(of(41)).toEqual(of(41));
    expect(of(41)).not.toEqual(of(42));
  });

  test('it is near the t interval where that is right, and holds the mean', () => {
    const drawn = bootstrap(rates, mean, { random: seededRandom(7), resamples: 5_000 });
    const exact = clusterMean(rates);
    expect(drawn?.lower).toBeCloseTo(exact?.lower ?? 0, 1);
    expect(drawn?.upper).toBeCloseTo(exact?.upper ?? 0, 1);
  });

  test('one cluster bounds nothing', () => {
    expect([bootstrap([0.9], mean, { random: seededRandom(1) }), clusterMean([0.9])]).toEqual([null, null]);
  });

  test('the t interval by hand: 1, 2, 3 is 2 ± 4.3027 × 1 / √3', () => {
    const interval = clusterMean([1, 2, 3]);
    expect(interval?.lower).toBeCloseTo(2 - 4.302652729749 / Math.sqrt(3), 9);
    expect(interval?.upper).toBeCloseTo(2 + 4.302652729749 / Math.sqrt(3), 9);
  });

  test('BCa shifts the interval of skewed values upward', () => {
    const costs = [1, 1, 1, 1, 2, 2, 2, 3, 3, 40];
    const plain = bootstrap(costs, mean, { random: seededRandom(5), resamples: 4_000 });
    const corrected = bootstrap(costs, mean, { random: seededRandom(5), resamples: 4_000, method: 'bca' });
    expect(corrected?.lower).toBeGreaterThan(plain?.lower ?? 0);
    expect(corrected?.upper).toBeGreaterThan(plain?.upper ?? 0);
  });

  test('covers the mean of a known population about as often as it says', () => {
    const random = seededRandom(11);
    let covered = 0;
    for (let round = 0; round < 400; round += 1) {
      const sample = Array.from({ length: 30 }, () => randomIndex(random, 101) / 100);
      const interval = bootstrap(sample, mean, { random, resamples: 400 });
      if (interval !== null && interval.lower <= 0.5 && 0.5 <= interval.upper) covered += 1;
    }
    expect(covered / 400).toBeGreaterThan(0.91);
  });
});

describe('permutation', () => {
  test('sign flips of few pairs are all tried', () => {
    const result = signFlip([0.1, 0.2, 0.3, 0.1, 0.2, 0.1], { random: seededRandom(1) });
    expect(result).toEqual({ difference: expect.closeTo(1 / 6, 12), p: 2 / 64, exact: true });
    expect(signFlip([0, 0, 0], { random: seededRandom(1) }).p).toBe(1);
    expect(signFlip([], { random: seededRandom(1) })).toEqual({ difference: 0, p: 1, exact: true });
  });

  test('drawn sign flips come near the exact answer', () => {
    const ones = Array.from({ length: 20 }, (_, index) => (index < 15 ? 1 : -1));
    // |sum| ≥ 10 of twenty signs: the two-sided binomial tail.
    const result = signFlip(ones, { random: seededRandom(2), permutations: 20_000 });
    expect(result.exact).toBe(false);
    expect(Math.abs(result.p - mcnemar(15, 5).p)).toBeLessThan(0.006);
  });

  test('two groups of clusters: p is never 0, alike groups give 1', () => {
    const far = permutationTest([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], { random: seededRandom(4) });
    expect(far.difference).toBe(1);
    expect(Math.abs(far.p - 2 / 924)).toBeLessThan(0.002);
    expect(far.p).toBeGreaterThan(0);
    expect(permutationTest([1, 1], [1, 1, 1], { random: seededRandom(4) }).p).toBe(1);
  });
});

test('non-inferiority: the whole interval must lie above the margin', () => {
  expect(nonInferiority({ lower: -0.01, upper: 0.04 }, 0.02)).toBe('pass');
  expect(nonInferiority({ lower: -0.02, upper: 0.04 }, 0.02)).toBe('insufficient');
  expect(nonInferiority({ lower: -0.2, upper: -0.05 }, 0.02)).toBe('fail');
  expect(nonInferiority(null, 0.02)).toBe('insufficient');
  expect(() => nonInferiority(null, -1)).toThrow(new RangeError('expected a margin of at least 0, got -1'));
});
