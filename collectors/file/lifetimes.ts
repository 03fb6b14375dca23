import { RunGroups } from '../../src/trace/run-groups.ts';

/** More bytes than one input can have; places in several inputs stay in order and exact up to 8,000 inputs. */
const inputSpan = 2 ** 40;

/** A place in all inputs together. */
export function placeOf(input: number, end: number): number {
  return input * inputSpan + end;
}

/** Where in the inputs each trace is seen last, which traces share a run, and what was cut off. */
export class Lifetimes {
  readonly runs: RunGroups = new RunGroups();
  /** By number of the input: something in it was cut off. */
  readonly cut: Set<number> = new Set();
  /** Not all runs can be told before all is decoded: nothing is whole before the end. */
  untilTheEnd = false;
  readonly #last = new Map<string, number>();
  /** By the place at which a group is whole, the first one last. */
  #schedule: { readonly place: number; readonly traceIds: readonly string[] }[] = [];

  seen(traceId: string, place: number): void {
    this.#last.set(traceId, place);
  }

  /** To be called when all has been seen. */
  plan(): void {
    if (this.untilTheEnd) return;
    const groups = this.runs.split(this.#last.keys()).map((traceIds) => ({
      traceIds,
      place: traceIds.reduce((latest, traceId) => Math.max(latest, this.#last.get(traceId) ?? 0), 0),
    }));
    // Stable, so that groups that end at one place come in the order in which they began.
    this.#schedule = groups.reverse().sort((a, b) => b.place - a.place);
  }

  /** The groups that are whole when all up to `place` has been read. Each is given once. */
  *wholeAt(place: number): Generator<readonly string[], void, undefined> {
    for (let next = this.#schedule.at(-1); next !== undefined && next.place <= place; next = this.#schedule.at(-1)) {
      this.#schedule.pop();
      for (const traceId of next.traceIds) this.#last.delete(traceId);
      yield next.traceIds;
    }
  }

  /** Whether a trace was seen and has not been given. */
  isOpen(traceId: string): boolean {
    return this.#last.has(traceId);
  }
}
