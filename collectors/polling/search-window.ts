import type { InputProblem } from '../../src/trace/trace-set.ts';
import type { FoundTraces } from './finding.ts';

/** One hit of a search. */
export interface Hit {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  readonly startUnixMs: number;
}

export interface WindowSearch {
  readonly sinceUnixMs: number;
  readonly untilUnixMs: number;
  /** Hits at most that one request may ask for. */
  readonly pageLimit: number;
  /** Traces wanted at most; all where absent. */
  readonly limit?: number;
  /** The longest window of one request. */
  readonly longestMs: number;
  /** The shortest worth asking for. */
  readonly shortestMs: number;
  /** Hits between two times; as many as `limit` means that there may be more. */
  hits(sinceUnixMs: number, untilUnixMs: number, limit: number): Promise<readonly Hit[]>;
}

const hourMs = 3_600_000;

/**
 * All hits of a window, newest first: servers give any subset of what exceeds their limit, so a window that fills it is
 * halved until it does not. Says what it had to leave out.
 */
export async function searchWindow(search: WindowSearch): Promise<FoundTraces> {
  const found = new Map<string, number>();
  const notes: InputProblem[] = [];
  const open: [number, number][] = [[search.sinceUnixMs, search.untilUnixMs]];
  const enough = () => search.limit !== undefined && found.size > search.limit;
  for (let window = open.pop(); window !== undefined && !enough(); window = open.pop()) {
    const [since, until] = window;
    if (until - since > search.longestMs) {
      open.push([since, until - search.longestMs], [until - search.longestMs, until]);
      continue;
    }
    const hits = await search.hits(since, until, search.pageLimit);
    const half = since + Math.floor((until - since) / 2 / search.shortestMs) * search.shortestMs;
    if (hits.length >= search.pageLimit && half > since) {
      open.push([since, half], [half, until]);
      continue;
    }
    if (hits.length >= search.pageLimit) notes.push(cutWindow(since, until, search.pageLimit));
    for (const { traceId, startUnixMs } of hits) found.set(traceId, Math.max(startUnixMs, found.get(traceId) ?? 0));
  }
  const newestFirst = [...found].sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1)).map(([id]) => id);
  if (!enough()) return { traceIds: newestFirst, notes };
  notes.push({
    code: 'search-limited',
    message: `more traces than the ${search.limit} that were asked for: the older ones were not read`,
    at: '--limit',
  });
  return { traceIds: newestFirst.slice(0, search.limit), notes };
}

function cutWindow(since: number, until: number, limit: number): InputProblem {
  const at = `${new Date(since).toISOString()} to ${new Date(until).toISOString()}`;
  return { code: 'search-cut', message: `at least ${limit} traces in so short a window: some were not read`, at };
}

/** The window that was asked for, with defaults: the hour before now. */
export function windowOf(
  { sinceUnixMs, untilUnixMs }: { readonly sinceUnixMs?: number; readonly untilUnixMs?: number },
  nowUnixMs: number,
): { readonly sinceUnixMs: number; readonly untilUnixMs: number } {
  const until = untilUnixMs ?? nowUnixMs;
  return { sinceUnixMs: sinceUnixMs ?? until - hourMs, untilUnixMs: until };
}
