import type { Run } from '../../agent/run.ts';
import type { Candidate } from './candidate.ts';

/** A recording is one sample: what it needed, times so much, is a budget that a good run keeps. */
const headroom = 2;
/** Machines differ more than agents. */
const timeHeadroom = 10;
const shortestMs = 1_000;

/** Bounds of calls, tokens and time, each with its source. */
export function budgetCandidates(runs: readonly Run[]): Candidate[] {
  const most = (of: (run: Run) => number | null): number | undefined => {
    const found = runs.map(of);
    return found.some((value) => value === null) ? undefined : Math.max(...found.map(Number));
  };
  const bounds: Record<string, number | undefined> = {
    modelCalls: most(({ modelCalls }) => modelCalls.length),
    toolCalls: most(({ toolCalls }) => toolCalls.length),
    inputTokens: most(({ usage }) => usage.input),
    outputTokens: most(({ usage }) => usage.output),
    durationMs: most(durationOf),
  };
  return Object.entries(bounds).flatMap(([name, used]) => {
    if (used === undefined || (used === 0 && name !== 'toolCalls')) return [];
    const times = name === 'durationMs' ? timeHeadroom : headroom;
    const max = name === 'durationMs' ? Math.max(shortestMs, Math.ceil(used) * times) : Math.ceil(used) * times;
    const source = `${recorded(runs)}: ${Math.ceil(used)}, times ${times}`;
    return [{ name: 'WithinBudget', ways: [{ [name]: { max, source } }], merge: 'budget' as const }];
  });
}

function durationOf({ traces }: Run): number | null {
  const spans = traces.flatMap((trace) => trace.spans);
  const ends = spans.flatMap(({ endUnixNano }) => endUnixNano ?? []);
  if (ends.length < spans.length || spans.length === 0) return null;
  const start = spans.reduce(
    (least, { startUnixNano }) => (startUnixNano < least ? startUnixNano : least),
    ends[0] ?? 0n,
  );
  const end = ends.reduce((most, each) => (each > most ? each : most), start);
  return Number((end - start) / 1_000_000n);
}

function recorded(runs: readonly Run[]): string {
  const starts = runs.flatMap(({ traces }) => traces.flatMap(({ spans }) => spans[0]?.startUnixNano ?? []));
  const first = starts.reduce((least, each) => (each < least ? each : least), starts[0] ?? 0n);
  const day = new Date(Number(first / 1_000_000n));
  const date = Number.isNaN(day.getTime()) ? 'an unknown day' : day.toISOString().slice(0, 10);
  return `recording of ${date}, ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`;
}
