import type { ResilienceCounts, ResilienceReport } from './report.ts';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Resilience as people read it: beside the success rate, and never in it. */
export function resilienceLines(resilience: ResilienceReport): string[] {
  const { runs, exercisedShare, minimumExercised, plan, rows, byMode, gaps } = resilience;
  const enough =
    exercisedShare >= minimumExercised ? '' : `, below the ${percent(minimumExercised)} that the plan demands`;
  return [
    `resilience   ${runs} faulted ${runs === 1 ? 'run' : 'runs'}, ${percent(exercisedShare)} exercised${enough}; fault plan ${plan.slice(0, 15)}…`,
    `  ${told(resilience)}`,
    ...rows.map((row) => `  ${row.scenario}   ${row.kind}, ${row.point}, ${row.mode}: ${told(row)}`),
    ...Object.entries(byMode).map(
      ([mode, { medianToolCalls, loopGuards }]) =>
        `  ${mode}: median ${medianToolCalls ?? 'unknown'} tool calls, ${loopGuards} at the loop guard`,
    ),
    ...gaps.map(
      ({ kind, above, below, absorbed }) =>
        `  ${kind}: ${percent(below)} below the client (${absorbed} absorbed by it), ${percent(above)} above: the gap is the client's, not the agent's`,
    ),
  ];
}

function told({ labels, invalid, undecided, untold }: ResilienceCounts): string {
  const counts = [
    ...Object.entries(labels),
    ...Object.entries(invalid),
    ['undecided', undecided],
    ['untold', untold],
  ] as const;
  return counts.flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`])).join(', ') || 'nothing';
}
