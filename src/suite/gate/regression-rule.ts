import { fisherWorse, type Proportion } from '../../statistics/fisher.ts';
import { holm } from '../../statistics/holm.ts';
import type { GateFinding } from './gate-verdict.ts';
import type { ScenarioPair } from './scenario-rates.ts';

/** A p-value of a rule that, if small, stops the release; all of a gate are adjusted together. */
export interface Alarm {
  readonly p: number;
  finding(adjusted: number, alarmed: boolean): GateFinding;
}

/** One alarm a scenario: its rate has fallen against the baseline's pool. A flaky scenario alarms only when it gets worse. */
export function regressionAlarms(pairs: readonly ScenarioPair[]): Alarm[] {
  return pairs.map(({ name, before, after, flaky }) => ({
    p: fisherWorse(before, after),
    finding(adjusted, alarmed) {
      const rates = `${fraction(before)} before, ${fraction(after)} now${flaky ? ', flaky before' : ''}`;
      const message = alarmed ? `the pass rate has fallen: ${rates}` : `no fall of the pass rate is shown: ${rates}`;
      return { rule: 'regression', subject: name, decision: alarmed ? 'FAIL' : 'PASS', message, p: adjusted };
    },
  }));
}

/** Holm's adjustment over all alarms of the gate: the chance of any false one is at most α. */
export function alarmFindings(alarms: readonly Alarm[], alpha: number): GateFinding[] {
  const adjusted = holm(alarms.map(({ p }) => p));
  return alarms.map((alarm, at) => {
    const p = adjusted[at] ?? 1;
    return alarm.finding(Number(p.toPrecision(6)), p <= alpha);
  });
}

function fraction({ successes, trials }: Proportion): string {
  return `${successes} of ${trials}`;
}
