import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { ReadSoFar } from './finding.ts';

/**
 * Keeps traces of one run together. Early: without holding every trace until the last one is read: the first trace of a
 * run goes on at once; when another one of that run comes, it is held, and the run is handed over again, whole, at the
 * end. Not early: every trace with a run id is held.
 */
export class LateRuns<T extends CollectedTrace> implements ReadSoFar {
  #newestEndUnixNano = 0n;
  readonly #early: boolean;
  /** The trace that first showed a run id, and every later one. */
  readonly #first = new Map<string, string>();
  readonly #held = new Map<string, T>();
  /** Each trace that shares a run with an earlier one, and that earlier one. */
  readonly #joins: (readonly [string, string])[] = [];

  constructor(early: boolean) {
    this.#early = early;
  }

  get newestEndUnixMs(): number {
    return Number(this.#newestEndUnixNano / 1_000_000n);
  }

  get joinable(): boolean {
    return this.#first.size > 0;
  }

  /** True where the trace is held: it shares a run with one that came before it, or may. */
  holds(each: T): boolean {
    const { traceId, spans } = each.trace;
    for (const { endUnixNano } of spans) {
      if (endUnixNano !== undefined && endUnixNano > this.#newestEndUnixNano) this.#newestEndUnixNano = endUnixNano;
    }
    let isHeld = false;
    for (const runId of runIdsOf(each)) {
      const first = this.#first.get(runId) ?? traceId;
      this.#first.set(runId, first);
      isHeld ||= first !== traceId || !this.#early;
      if (isHeld) this.#joins.push([traceId, first]);
    }
    if (isHeld) this.#held.set(traceId, each);
    return isHeld;
  }

  /** The runs that were held, whole; `again` gets anew what was handed over already. */
  async *wholeRuns(again: (traceId: string) => Promise<T>): AsyncGenerator<readonly T[]> {
    for (const traceIds of connected(this.#joins)) {
      const group: T[] = [];
      for (const traceId of traceIds) {
        group.push(this.#held.get(traceId) ?? { ...(await again(traceId)), replaces: true });
        this.#held.delete(traceId);
      }
      yield group;
    }
  }
}

function runIdsOf({ trace }: CollectedTrace): Set<string> {
  const ids = new Set<string>();
  for (const { attributes } of trace.spans) {
    const id = attributes.get(ownAttributes.runId);
    if (typeof id === 'string' && id !== '') ids.add(id);
  }
  return ids;
}

/** Sets of ids that hang together, each sorted, in order of their first id. */
function connected(pairs: readonly (readonly [string, string])[]): string[][] {
  const next = new Map<string, string>();
  const leaderOf = (id: string): string => {
    let leader = id;
    for (let up = next.get(leader); up !== undefined && up !== leader; up = next.get(leader)) leader = up;
    return leader;
  };
  for (const [a, b] of pairs) next.set(leaderOf(a), leaderOf(b));
  const groups = new Map<string, string[]>();
  for (const id of new Set(pairs.flat())) groups.set(leaderOf(id), [...(groups.get(leaderOf(id)) ?? []), id]);
  return [...groups.values()].map((group) => group.sort()).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
