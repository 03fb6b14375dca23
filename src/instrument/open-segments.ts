import type { Segment } from './segment.ts';

const mostSegments = 65_536;

/**
 * Segments that have spans open or a root that has not ended, the oldest first. Bounded: one that is pushed out can no
 * longer be told of a doubt, so it gives no receipt. Every trace passes through here and hardly any is ever asked for,
 * so they hang together as a list, and the index by trace is made when it is first needed.
 */
export class OpenSegments {
  readonly #most: number;
  #count = 0;
  #oldest: Segment | undefined = undefined;
  #newest: Segment | undefined = undefined;
  #byTrace: Map<string, Segment[]> | undefined = undefined;

  constructor(most: number = mostSegments) {
    this.#most = most;
  }

  add(segment: Segment): void {
    if (segment.isListed) return;
    segment.isListed = true;
    segment.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = segment;
    else this.#newest.newer = segment;
    this.#newest = segment;
    if (this.#byTrace !== undefined) addTo(this.#byTrace, segment);
    if (++this.#count > this.#most) this.#dropOldest();
  }

  remove(segment: Segment): void {
    if (!segment.isListed) return;
    const { older, newer } = segment;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    segment.isListed = false;
    segment.older = undefined;
    segment.newer = undefined;
    this.#count--;
    if (this.#byTrace !== undefined) removeFrom(this.#byTrace, segment);
  }

  newestOf(traceId: string): Segment | undefined {
    return this.#index().get(traceId)?.at(-1);
  }

  /** A span of this trace ended whose start was not seen: it may belong to any segment that is open here. */
  doubt(traceId: string): void {
    for (const segment of this.#index().get(traceId) ?? []) segment.isCertain = false;
  }

  #dropOldest(): void {
    const oldest = this.#oldest;
    if (oldest === undefined) return;
    oldest.isCertain = false;
    this.remove(oldest);
  }

  #index(): ReadonlyMap<string, readonly Segment[]> {
    if (this.#byTrace === undefined) {
      this.#byTrace = new Map();
      for (let each = this.#oldest; each !== undefined; each = each.newer) addTo(this.#byTrace, each);
    }
    return this.#byTrace;
  }
}

function addTo(byTrace: Map<string, Segment[]>, segment: Segment): void {
  const others = byTrace.get(segment.traceId);
  if (others === undefined) byTrace.set(segment.traceId, [segment]);
  else others.push(segment);
}

function removeFrom(byTrace: Map<string, Segment[]>, segment: Segment): void {
  const all = byTrace.get(segment.traceId);
  if (all === undefined) return;
  if (all.length === 1) byTrace.delete(segment.traceId);
  else all.splice(all.indexOf(segment), 1);
}
