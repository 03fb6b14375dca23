import type { InputProblem } from '../../src/trace/trace-set.ts';
import type { Until } from '../http/http-source.ts';
import type { Clock } from './clock.ts';

/** Ids that a search gave, and what must be known of it. */
export interface FoundTraces {
  readonly traceIds: readonly string[];
  readonly notes: readonly InputProblem[];
}

/** What is known of the traces that were found and read meanwhile. */
export interface ReadSoFar {
  /** End of the newest span, in milliseconds since 1970; 0 before the first. */
  readonly newestEndUnixMs: number;
  /** A trace carries a run id, so that others may belong to its run. */
  readonly joinable: boolean;
}

export interface SearchRules {
  search(until: Until): Promise<FoundTraces>;
  readonly clock: Clock;
  /** The window ends so long ago that nothing more can appear in it. */
  readonly closed: boolean;
  /** One run or conversation is looked for: it must be there, and all of its traces are needed. */
  readonly awaited: boolean;
  /** How long after its last span a trace may be invisible to search. */
  readonly lagMs: number;
  /** 0: take what the first search shows. */
  readonly settleMs: number;
}

const searchIntervalMs = 2_000;

/**
 * Searches until what was looked for can be expected to be all there, each id once. Search lags behind reading by id (28
 * to 45 s on a stock Tempo), so a run is complete only when its newest span is older than that.
 */
export async function* findTraces(
  rules: SearchRules,
  soFar: () => ReadSoFar,
  until: Until,
): AsyncGenerator<FoundTraces> {
  const { clock } = rules;
  const startMs = clock.nowMs();
  const seen = new Set<string>();
  for (;;) {
    const { traceIds, notes } = await rules.search(until);
    const fresh = traceIds.filter((traceId) => !seen.has(traceId));
    for (const traceId of fresh) seen.add(traceId);
    if (fresh.length > 0) yield { traceIds: fresh, notes };
    const waitMs = seen.size === 0 ? waitForAny(rules, clock.nowMs() - startMs) : waitForRest(rules, soFar());
    const isOver = rules.closed || waitMs <= 0;
    if (isOver || waitMs >= until.deadline.remainingMs()) {
      if (!isOver && seen.size > 0) yield { traceIds: [], notes: [tooEarly(rules.lagMs)] };
      return;
    }
    await clock.sleep(waitMs, until.signal);
    until.signal.throwIfAborted();
  }
}

function waitForAny({ awaited, lagMs, settleMs }: SearchRules, waitedMs: number): number {
  if (awaited) return searchIntervalMs;
  return settleMs === 0 || waitedMs >= lagMs ? 0 : searchIntervalMs;
}

function waitForRest(
  { awaited, clock, lagMs, settleMs }: SearchRules,
  { newestEndUnixMs, joinable }: ReadSoFar,
): number {
  if (settleMs === 0 || !(awaited || joinable)) return 0;
  return newestEndUnixMs + lagMs - clock.unixMs();
}

function tooEarly(lagMs: number): InputProblem {
  return {
    code: 'search-too-early',
    message: `search shows a trace up to ${lagMs / 1_000} s late; further traces of these runs may not be searchable yet`,
    at: 'search',
  };
}
