import type { ResilienceCounts, ResilienceReport } from './resilience-report.ts';

/** What all formats say of resilience, in the same words: beside the success rate, and never in it. */
export const resilienceText = {
  /** `18 faulted runs, 67 % exercised; fault plan sha256:0a1b2c3d…`. */
  head({ runs, exercisedShare, minimumExercised, plan }: ResilienceReport): string {
    const enough =
      exercisedShare >= minimumExercised ? '' : `, below the ${percent(minimumExercised)} that the plan demands`;
    return `${runs} faulted ${runs === 1 ? 'run' : 'runs'}, ${percent(exercisedShare)} exercised${enough}; fault plan ${plan.slice(0, 15)}…`;
  },

  /** Labels, then runs that say nothing of the agent: `1 recovered, 7 failed, 6 absorbed`. */
  counts({ labels, invalid, undecided, untold }: ResilienceCounts): string {
    return tally({ ...labels, ...invalid, undecided, untold }) || 'nothing';
  },

  /** Runs outside the four labels, and why: `6 absorbed`. */
  outside({ invalid, undecided, untold }: ResilienceCounts): string {
    return tally({ ...invalid, undecided, untold });
  },

  /** `http_503, above_client, until_end`. */
  fault({ kind, point, mode }: ResilienceReport['rows'][number]): string {
    return `${kind}, ${point}, ${mode}`;
  },

  /** One for each label that has any: `failed: 3 retry_same, 4 none`. */
  reactions({ reactions }: ResilienceReport): string[] {
    return Object.entries(reactions).map(([label, counts]) => `${label}: ${tally(counts)}`);
  },

  flags({ flags = {} }: ResilienceReport): string {
    return tally(flags);
  },

  /** `until_end: median 4 tool calls, 1 at the loop guard`. */
  modes({ byMode }: ResilienceReport): string[] {
    return Object.entries(byMode).map(
      ([mode, { medianToolCalls, loopGuards }]) =>
        `${mode}: median ${medianToolCalls ?? 'unknown'} tool calls, ${loopGuards} at the loop guard`,
    );
  },

  /** `control of books a slot: passed in 1 run`. */
  controls({ controls = [] }: ResilienceReport): string[] {
    return controls.map(({ task, status, runs, agreement }) => {
      const same = runs > 1 ? `, ${percent(agreement)} with the same tool calls` : '';
      return `control of ${task}: ${status}${runs === 0 ? '' : ` in ${runs} ${runs === 1 ? 'run' : 'runs'} without a fault`}${same}`;
    });
  },

  /** Rows that ran once; empty where each ran more often. */
  observations({ rows }: ResilienceReport): string {
    const once = rows.filter(({ runs }) => runs === 1).length;
    const [count, noun] = [`${once} of ${rows.length}`, rows.length === 1 ? 'row' : 'rows'];
    return once === 0 ? '' : `${count} ${noun} ran once: one faulted run is one observation, and no proof`;
  },

  /** What the client takes away: a finding of its own. */
  gaps({ gaps }: ResilienceReport): string[] {
    return gaps.map(
      ({ kind, above, below, absorbed }) =>
        `${kind}: ${percent(below)} below the client (${absorbed} absorbed by it), ${percent(above)} above: the gap is the client's, not the agent's`,
    );
  },
};

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `1 recovered, 7 failed`; what is zero is left out. */
function tally(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
