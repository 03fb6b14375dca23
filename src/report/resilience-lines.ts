import type { ResilienceReport } from './resilience-report.ts';
import { resilienceText as text } from './resilience-text.ts';

/** Resilience as a terminal shows it. */
export function resilienceLines(resilience: ResilienceReport): string[] {
  const reactions = text.reactions(resilience);
  const flags = text.flags(resilience);
  const once = text.observations(resilience);
  return [
    `resilience   ${text.head(resilience)}`,
    `  ${text.counts(resilience)}`,
    ...text.controls(resilience).map((line) => `  ${line}`),
    ...resilience.rows.map((row) => `  ${row.scenario}   ${text.fault(row)}: ${text.counts(row)}`),
    ...(reactions.length === 0 ? [] : [`  reactions: ${reactions.join('; ')}`]),
    ...(flags === '' ? [] : [`  flags: ${flags}`]),
    ...text.modes(resilience).map((line) => `  ${line}`),
    ...text.gaps(resilience).map((line) => `  ${line}`),
    ...(once === '' ? [] : [`  ${once}`]),
  ];
}
