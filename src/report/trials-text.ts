import type { ScenarioReport } from './report.ts';

/** `18 of 20 passed (71–97 %), wanted: rate at least 0.85 (95 % confidence)`; `3 runs` where only traces were judged. */
export function trialsText({ trials, planned, policy, rate }: ScenarioReport): string {
  if (planned === undefined) return `${trials.length} ${trials.length === 1 ? 'run' : 'runs'}`;
  if (rate === undefined) return 'not run';
  const of = planned === rate.of ? '' : `, ${planned - rate.of} not run`;
  const percent = (share: number): string => (share * 100).toFixed(0);
  const interval = rate.of > 1 ? ` (${percent(rate.lower)}–${percent(rate.upper)} %)` : '';
  const unseen =
    rate.unseenBelow === undefined
      ? ''
      : `; a failure in less than ${percent(rate.unseenBelow)} % of runs may stay unseen`;
  return `${rate.passed} of ${rate.of} passed${interval}${of}; wanted: ${policy}${unseen}`;
}
