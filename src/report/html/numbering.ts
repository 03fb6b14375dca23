/** Ids of elements, in the order of the page: the same report gives the same ids. */
export class Numbering {
  readonly #counts = new Map<string, number>();

  /** `trial-1`, `trial-2` … */
  next(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}-${count}`;
  }
}
