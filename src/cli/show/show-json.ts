import { type PlainData, viewOf, viewOfRun, viewOfTrace } from '../../agent/view.ts';
import type { Showing, ShowingOptions } from './showing.ts';

/** `otel-eval/view/v1`. Of each trace only its view is kept. */
export function showJson({ digest }: ShowingOptions): Showing {
  const traces: PlainData[] = [];
  const runs: PlainData[] = [];
  return {
    addTraces: (group) => {
      traces.push(...group.map(viewOfTrace));
    },
    addRuns: (more) => {
      runs.push(...more.map((run) => viewOfRun(run, digest)));
    },
    finish: (inputs) => {
      const frame = viewOf({ inputs, traces: [], runs: [], digest }) as Record<string, PlainData>;
      return `${JSON.stringify({ ...frame, traces, runs }, null, 2)}\n`;
    },
  };
}
