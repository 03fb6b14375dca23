import type { InputProblem } from '../../src/trace/trace-set.ts';
import type { Clock } from './clock.ts';
import { OutOfTime } from './out-of-time.ts';
import type { Until } from './until.ts';

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
  /** One run or conversation is looked for: all of its traces are needed. */
  readonly awaited: boolean;
  /** How long after its last span a trace may be invisible to search. */
  readonly lagMs: number;
  /** 0: take what the first search shows. */
  readonly settleMs: number;
}

const searchIntervalMs = 2_000;

/**
 * Searches until what was looked for can be expected to be all there, each id once; where nothing is, until the deadline.
 * Search lags behind reading by id (28 to 45 s on a stock Tempo), so what ended just now may have company that shows later.
 */
export async function* findTraces(
  rules: SearchRules,
  soFar: () => ReadSoFar,
  until: Until,
): AsyncGenerator<FoundTraces> {
  const { clock } = rules;
  const seen = new Set<string>();
  let firstUnixMs: number | undefined;
  for (let searches = 0; ; searches++) {
    const found = await searched(rules, until, searches > 0);
    if (found === undefined) break;
    const { traceIds, notes } = found;
    const fresh = traceIds.filter((traceId) => !seen.has(traceId));
    if (fresh.length > 0) {
      for (const traceId of fresh) seen.add(traceId);
      firstUnixMs ??= clock.unixMs();
      yield { traceIds: fresh, notes };
    }
    const waitMs = waitForMore(rules, soFar(), firstUnixMs);
    if (waitMs <= 0) return;
    if (waitMs >= until.deadline.remainingMs()) break;
    await clock.sleep(waitMs, until.signal);
    until.signal.throwIfAborted();
  }
  if (seen.size > 0) yield { traceIds: [], notes: [tooEarly(rules.lagMs)] };
}

/** `undefined`: our deadline came first, and an earlier search was answered. */
async function searched(rules: SearchRules, until: Until, answeredBefore: boolean): Promise<FoundTraces | undefined> {
  try {
    return await rules.search(until);
  } catch (failure) {
    if (answeredBefore && failure instanceof OutOfTime) return undefined;
    throw failure;
  }
}

/**
 * Until the next search; 0: none is needed. Traces that no run holds together would never end where agents go on
 * working: of those, only what ended by the first hit is waited for.
 */
function waitForMore(
  { awaited, closed, clock, lagMs, settleMs }: SearchRules,
  { newestEndUnixMs, joinable }: ReadSoFar,
  firstUnixMs: number | undefined,
): number {
  if (closed) return 0;
  if (firstUnixMs === undefined) return searchIntervalMs;
  if (settleMs === 0) return 0;
  const lastUnixMs = awaited || joinable ? newestEndUnixMs : Math.min(newestEndUnixMs, firstUnixMs);
  return Math.max(0, lastUnixMs + lagMs - clock.unixMs());
}

function tooEarly(lagMs: number): InputProblem {
  return {
    code: 'search-too-early',
    message: `search shows a trace up to ${lagMs / 1_000} s late; further traces may not be searchable yet`,
    at: 'search',
  };
}
