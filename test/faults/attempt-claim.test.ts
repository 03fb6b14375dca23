import { describe, expect, test } from 'vitest';
import { type AttemptRun, attemptClaim } from '../../src/faults/unattended/attempt-claim.ts';

const run = (attempts: number, changes: Partial<AttemptRun> = {}): AttemptRun => ({
  exercised: true,
  recovered: true,
  attempts,
  atCap: false,
  corpusCase: 'T-8841',
  ...changes,
});
const runs = (count: number, each: AttemptRun): AttemptRun[] => Array.from({ length: count }, () => each);

describe('p95 of attempts', () => {
  test('R3-11: 200 runs with four above the bound pass, five leave it open, sixteen fail', () => {
    const claim = (above: number) => attemptClaim([...runs(200 - above, run(2)), ...runs(above, run(9))], 4).decision;
    expect([4, 5, 15, 16].map(claim)).toEqual(['pass', 'insufficient', 'insufficient', 'fail']);
  });

  test('a run that was stopped at the cap is "at least" so many, and p95 is no number where they are many', () => {
    const stopped = run(12, { atCap: true, recovered: false });
    const claim = attemptClaim([...runs(184, run(2)), ...runs(16, stopped)], 4);
    expect(claim).toMatchObject({ exercised: 200, neverRecovered: 16, exceedances: 16, median: '2', p95: '≥ 12' });
    expect(claim.decision).toBe('fail');
    expect(attemptClaim([...runs(199, run(2)), stopped], 4).p95).toBe('2');
  });

  test('R3-26: from two to nine attempts while every run still passes', () => {
    const before = attemptClaim(runs(200, run(2)), 4);
    const after = attemptClaim([...runs(184, run(2)), ...runs(16, run(9))], 4);
    expect([before.p95, before.decision, before.neverRecovered]).toEqual(['2', 'pass', 0]);
    expect([after.p95, after.decision, after.neverRecovered]).toEqual(['9', 'fail', 0]);
  });

  test('runs whose first call was right are not counted, and the claim says of what it speaks', () => {
    const claim = attemptClaim([...runs(59, run(2)), ...runs(41, run(1, { exercised: false }))], 4);
    expect(claim).toMatchObject({ runs: 100, exercised: 59, decision: 'pass', scope: 'one case' });
    expect(attemptClaim([run(2), run(2, { corpusCase: 'T-9' })], 4)).toMatchObject({
      scope: 'this corpus',
      decision: 'insufficient',
      furtherRuns: 57,
    });
  });

  test('R3-10: one run shows a tail of 5 % once in twenty, 59 runs nearly always', () => {
    expect(attemptClaim([run(1)], 4).chanceToSeeTail).toBeCloseTo(0.05, 10);
    expect(attemptClaim(runs(59, run(1)), 4).chanceToSeeTail).toBeGreaterThan(0.95);
  });
});
