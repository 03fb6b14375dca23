import { describe, expect, test } from 'vitest';
import { powerToNotice } from '../../../src/statistics/fisher.ts';
import { seededRandom } from '../../../src/statistics/random.ts';
import { type Baseline, baselineOf } from '../../../src/suite/gate/baseline.ts';
import { gate } from '../../../src/suite/gate/gate.ts';
import { firstRules } from '../../../src/suite/gate/gate-rules.ts';
import { type MadeScenario, madeReport } from './made-report.ts';

// A scripted flaky agent with known pass rates: 2,000 suites are run, and the gate's answers counted.
const random = seededRandom(2026);
const trials = (rate: number, count: number): string => {
  let text = '';
  for (let at = 0; at < count; at += 1) text += random.nextUint32() < rate * 2 ** 32 ? 'p' : 'f';
  return text;
};
const suite = (rates: readonly number[], count: number): Record<string, MadeScenario> =>
  Object.fromEntries(
    rates.map((rate, at) => [`scenario ${at}`, { trials: trials(rate, count), policy: { kind: 'passes', passes: 0 } }]),
  );
const baselineFor = (rates: readonly number[], count: number): Baseline =>
  baselineOf(madeReport(suite(rates, count)), undefined);

describe('2,000 simulated suites', () => {
  test('false alarms stay at or under α when nothing has changed', () => {
    const rates = [0.98, 0.9, 0.7, 0.5];
    let alarms = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const baseline = baselineFor(rates, 60);
      if (gate(madeReport(suite(rates, 20)), baseline).decision === 'FAIL') alarms += 1;
    }
    expect(alarms / 2_000).toBeLessThanOrEqual(0.05);
  });

  test('a fall is noticed as often as computed', () => {
    const power = powerToNotice({ rate: 0.95, trials: 100 }, { rate: 0.75, trials: 30 });
    let noticed = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const baseline = baselineFor([0.95], 100);
      if (gate(madeReport(suite([0.75], 30)), baseline).decision === 'FAIL') noticed += 1;
    }
    expect(power).toBeGreaterThan(0.8);
    // Three standard deviations of 2,000 draws.
    expect(Math.abs(noticed / 2_000 - power)).toBeLessThan(3 * Math.sqrt((power * (1 - power)) / 2_000));
  });

  test('an agent that is worse by just the margin is let through at most with α', () => {
    const before = Array.from({ length: 20 }, () => 0.9);
    const rules = { ...firstRules, nonInferiority: { margin: 0.1, reason: 'agreed', approximate: false } };
    let passed = 0;
    for (let round = 0; round < 60; round += 1) {
      const baseline = { ...baselineFor(before, 40), rules };
      const now = before.map(() => 0.8);
      const finding = gate(madeReport(suite(now, 20)), baseline).findings.find(
        ({ rule }) => rule === 'non-inferiority',
      );
      if (finding?.decision === 'PASS') passed += 1;
    }
    expect(passed / 60).toBeLessThanOrEqual(0.05);
  });
});
