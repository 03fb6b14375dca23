import type { Segment } from './segment.ts';

const mostSegments = 65_536;

/**
 * Segments that have spans open or a root that has not ended, by trace. Bounded: the oldest one that is pushed out can
 * no longer be told of a doubt, so it gives no receipt.
 */
export class OpenSegments {
  readonly #byTrace = new Map<string, Segment[]>();
  #count = 0;
  readonly #most: number;

  constructor(most: number = mostSegments) {
    this.#most = most;
  }

  add(segment: Segment): void {
    this.#count++;
    const others = this.#byTrace.get(segment.traceId);
    if (others === undefined) this.#byTrace.set(segment.traceId, [segment]);
    else if (others.includes(segment)) this.#count--;
    else others.push(segment);
    if (this.#count > this.#most) this.#dropOldest();
  }

  remove(segment: Segment): void {
    const all = this.#byTrace.get(segment.traceId);
    const at = all?.indexOf(segment) ?? -1;
    if (all === undefined || at === -1) return;
    this.#count--;
    if (all.length === 1) this.#byTrace.delete(segment.traceId);
    else all.splice(at, 1);
  }

  newestOf(traceId: string): Segment | undefined {
    return this.#byTrace.get(traceId)?.at(-1);
  }

  /** A span of this trace ended whose start was not seen: it may belong to any segment that is open here. */
  doubt(traceId: string): void {
    for (const segment of this.#byTrace.get(traceId) ?? []) segment.isCertain = false;
  }

  #dropOldest(): void {
    for (const [traceId, segments] of this.#byTrace) {
      this.doubt(traceId);
      this.#count -= segments.length;
      this.#byTrace.delete(traceId);
      return;
    }
  }
}
