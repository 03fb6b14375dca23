import type { ModelCall, Run } from '../../agent/run.ts';
import { type Candidate, candidate } from './candidate.ts';

/** A recording is one sample: what it needed, times so much, is a budget that a good run keeps. */
const headroom = 2;
/** Machines differ more than agents. */
const timeHeadroom = 10;
const shortestMs = 1_000;

/** Bounds of tokens and time, each with its source. Where the sum cannot be told, the bound is one of each span. */
export function budgetCandidates(runs: readonly Run[]): Candidate[] {
  const most = (of: (run: Run) => number | null): number | undefined => {
    const found = runs.map(of);
    return found.some((value) => value === null) ? undefined : Math.max(...found.map(Number));
  };
  const bounds: Record<string, number | undefined> = {
    inputTokens: most(({ usage }) => usage.input),
    outputTokens: most(({ usage }) => usage.output),
    durationMs: most(durationOf),
  };
  return Object.entries(bounds).flatMap(([name, used]) => {
    if (used === undefined || used === 0) return [];
    const times = name === 'durationMs' ? timeHeadroom : headroom;
    const max = name === 'durationMs' ? Math.max(shortestMs, Math.ceil(used) * times) : Math.ceil(used) * times;
    const source = `${recorded(runs)}: ${Math.ceil(used)}, times ${times}`;
    const bound = candidate('WithinBudget', { [name]: { max, source } });
    return [{ ...bound, merge: 'budget' as const, otherwise: boundsOfSpans(runs, name) }];
  });
}

/** Each model span keeps within twice what the largest of them used. */
function boundsOfSpans(runs: readonly Run[], bound: string): Candidate[] {
  const kind = ({ inputTokens: 'input', outputTokens: 'output' } as const)[bound];
  const calls = runs.flatMap(({ modelCalls }) => modelCalls);
  const found = kind === undefined ? [] : calls.flatMap((call) => tokensOn(call, kind));
  const most = new Map<string, number>();
  for (const { key, used } of found) most.set(key, Math.max(most.get(key) ?? 0, used));
  return [...most].map(([key, used]) =>
    candidate('SpansMatch', {
      match: { attributes: { [key]: { exists: true } } },
      expect: { every: { attributes: { [key]: { atMost: used * headroom } } } },
    }),
  );
}

/** The attribute that tells how many tokens a call used. */
function tokensOn({ usage, spans }: ModelCall, kind: 'input' | 'output'): { key: string; used: number }[] {
  const used = usage?.[kind] ?? 0;
  const keys = [...(spans[0]?.attributes ?? [])].flatMap(([key, value]) =>
    used > 0 && /token/.test(key) && (value === used || value === BigInt(used)) ? [key] : [],
  );
  return keys.slice(0, 1).map((key) => ({ key, used }));
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
