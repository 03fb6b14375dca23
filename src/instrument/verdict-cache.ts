const mostVerdicts = 2_048;
const longestText = 160;

/**
 * Remembers what was decided of a text. Bounded: a flood of texts that are all new empties it and costs the decision
 * again, no memory.
 */
export class VerdictCache<Verdict> {
  readonly #decide: (text: string) => Verdict;
  #known = new Map<string, Verdict>();

  constructor(decide: (text: string) => Verdict) {
    this.#decide = decide;
  }

  get(text: string): Verdict {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const verdict = this.#decide(text);
    if (text.length <= longestText) {
      if (this.#known.size >= mostVerdicts) this.#known.clear();
      this.#known.set(text, verdict);
    }
    return verdict;
  }
}
