import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDecided, policyVerdict } from '../../src/suite/policy/policy-verdict.ts';
import { countTrials, openTrials } from '../../src/suite/policy/trial-counts.ts';
import { policyText, type TrialPolicy } from '../../src/suite/policy/trial-policy.ts';
import { combinedStatus, type TrialStatus } from '../../src/suite/trial/trial-status.ts';

const statuses: readonly TrialStatus[] = ['passed', 'failed', 'inconclusive', 'error', 'unavailable'];
const of = (text: string): TrialStatus[] =>
  [...text].map((letter) => statuses.find((status) => status.startsWith(letter)) ?? 'passed');
const verdict = (policy: TrialPolicy, text: string, planned = text.length) =>
  policyVerdict(policy, countTrials(of(text), planned));

const all: TrialPolicy = { kind: 'all' };
const twoPass: TrialPolicy = { kind: 'passes', passes: 2 };
const rate: TrialPolicy = { kind: 'rate', minimum: 0.85, confidence: 0.95 };
const hat: TrialPolicy = { kind: 'passHatK', k: 3, minimum: 0.4 };

describe('one policy each', () => {
  test.each([
    [all, 'ppp', 'passed'],
    [all, 'ppf', 'failed'],
    [all, 'ppe', 'error'],
    [all, 'pue', 'error'],
    [all, 'pui', 'unavailable'],
    [all, 'ppi', 'inconclusive'],
    [all, 'fei', 'failed'],
    [twoPass, 'ppf', 'passed'],
    [twoPass, 'ppe', 'passed'],
    [twoPass, 'pfe', 'error'],
    [twoPass, 'pff', 'failed'],
    [twoPass, 'ffe', 'failed'],
    [twoPass, 'pii', 'inconclusive'],
    [rate, 'p'.repeat(20), 'passed'],
    [rate, `${'p'.repeat(19)}f`, 'inconclusive'],
    [rate, `${'p'.repeat(19)}u`, 'unavailable'],
    [rate, `${'p'.repeat(10)}${'f'.repeat(10)}`, 'failed'],
    [hat, 'ppppf', 'passed'],
    [hat, 'pppff', 'failed'],
    [hat, 'ppppe', 'passed'],
    [hat, 'pppee', 'error'],
    [hat, 'pp', 'inconclusive'],
  ] as const)('%j over %s is %s', (policy, text, status) => {
    expect(verdict(policy, text).status).toBe(status);
  });

  test('the reasons', () => {
    expect(verdict(all, 'ppf').reason).toBe('expected 3 of 3 trials to pass, 1 failed');
    expect(verdict(twoPass, 'pe', 3).reason).toBe(
      '2 passed trials not shown: of 3 trials 1 passed, 1 error, 1 not run',
    );
    expect(verdict(hat, 'pppff').reason).toBe('expected pass^3 of at least 0.4, got 0.1 (3 of 5 passed)');
    expect(verdict(hat, 'pp').reason).toBe('expected at least 3 trials, got 2');
    expect(verdict(rate, `${'p'.repeat(19)}f`)).toEqual({
      status: 'inconclusive',
      reason: '19 of 20 neither shows a pass rate of at least 0.85 nor a lower one; 10 more passing runs would show it',
      furtherRuns: { atBest: 10, atObservedRate: expect.any(Number) },
    });
    expect(verdict(all, '').reason).toBe('no trial was planned');
  });

  test('in words', () => {
    expect([all, twoPass, rate, hat].map((policy) => policyText(policy, 3))).toEqual([
      'all of 3',
      '2 of 3',
      'rate at least 0.85 (95 % confidence)',
      'pass^3 at least 0.4',
    ]);
  });
});

describe('all combinations of five trial states in three trials', () => {
  const every = statuses.flatMap((a) => statuses.flatMap((b) => statuses.map((c) => [a, b, c] as const)));

  test('precedence: failed, error, unavailable, inconclusive, passed', () => {
    for (const trials of every) {
      const expected = trials.includes('failed')
        ? 'failed'
        : trials.includes('error')
          ? 'error'
          : trials.includes('unavailable')
            ? 'unavailable'
            : trials.includes('inconclusive')
              ? 'inconclusive'
              : 'passed';
      expect(combinedStatus(trials)).toBe(expected);
      expect(policyVerdict(all, countTrials(trials, 3)).status).toBe(expected);
    }
    expect(every).toHaveLength(125);
    expect(combinedStatus([])).toBe('inconclusive');
  });

  test('fewer passes than required are never a pass', () => {
    for (const trials of every) {
      const passed = trials.filter((status) => status === 'passed').length;
      expect(policyVerdict(twoPass, countTrials(trials, 3)).status === 'passed').toBe(passed >= 2);
    }
  });
});

test('what is decided early is what all trials come to, and a missing trial never passes', () => {
  const policies = fc.constantFrom(all, twoPass, rate, hat, { kind: 'passes', passes: 7 } as const);
  const trials = fc.array(fc.constantFrom(...statuses), { minLength: 3, maxLength: 40 });
  fc.assert(
    fc.property(policies, trials, fc.nat(), (policy, sequence, cut) => {
      const seen = countTrials(sequence.slice(0, cut % sequence.length), sequence.length);
      const whole = policyVerdict(policy, countTrials(sequence, sequence.length));
      if (openTrials(seen) > 0 && isDecided(policy, seen)) return policyVerdict(policy, seen).status === whole.status;
      return true;
    }),
    { seed: 5, numRuns: 2_000 },
  );
  expect(isDecided(all, countTrials(['failed'], 3))).toBe(true);
  expect(isDecided(all, countTrials(['error'], 3))).toBe(false);
  expect(isDecided(twoPass, countTrials(['passed', 'passed'], 3))).toBe(true);
  expect(isDecided(twoPass, countTrials(['passed'], 3))).toBe(false);
});
