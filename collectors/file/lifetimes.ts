import { RunGroups } from '../../src/trace/run-groups.ts';

/**
 * In which piece each trace is seen last, which traces share a run, and what was cut off. Pieces are numbered through
 * all inputs. It is kept small: a name and a number for each trace.
 */
export class Lifetimes {
  readonly runs: RunGroups = new RunGroups();
  /** By number of the input: something in it was cut off. */
  readonly cut: Set<number> = new Set();
  /** Not all runs can be told before all is decoded: nothing is whole before the end. */
  untilTheEnd = false;
  readonly #last = new Map<string, number>();
  readonly #groups = new Map<string, readonly string[]>();
  /** Of what is open: ids by the piece with which they are whole. */
  readonly #due = new Map<number, string[]>();
  #passed = 0;

  seen(traceId: string, piece: number): void {
    this.#last.set(traceId, piece);
  }

  /** To be called when all has been seen. */
  plan(): void {
    for (const traceIds of this.runs.several()) {
      const last = traceIds.reduce((latest, traceId) => Math.max(latest, this.#last.get(traceId) ?? 0), 0);
      for (const traceId of traceIds) {
        this.#last.set(traceId, last);
        this.#groups.set(traceId, traceIds);
      }
    }
  }

  /** Whether a trace was seen and has not been given. */
  isOpen(traceId: string): boolean {
    return this.#last.has(traceId);
  }

  /** The first row of a trace has been read. */
  began(traceId: string): void {
    const last = this.#last.get(traceId);
    if (last === undefined || this.untilTheEnd) return;
    const due = this.#due.get(last);
    if (due === undefined) this.#due.set(last, [traceId]);
    else due.push(traceId);
  }

  /** The groups that are whole when this piece has been read. Each is given once. */
  *wholeAt(piece: number): Generator<readonly string[], void, undefined> {
    for (; this.#passed <= piece; this.#passed += 1) {
      const due = this.#due.get(this.#passed);
      if (due === undefined) continue;
      this.#due.delete(this.#passed);
      for (const traceId of due) {
        if (!this.#last.has(traceId)) continue;
        const group = this.#groups.get(traceId) ?? [traceId];
        for (const member of group) this.#forget(member);
        yield group;
      }
    }
  }

  #forget(traceId: string): void {
    this.#last.delete(traceId);
    this.#groups.delete(traceId);
  }
}
