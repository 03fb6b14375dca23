/** One reason why there are no spans, or too few. */
export interface Cause {
  /** Kebab-case, for programs. */
  readonly id: string;
  /** One sentence: what was found, and where. */
  readonly found: string;
  /** One sentence: what to do. */
  readonly remedy: string;
  /** The lower, the more surely it alone explains that nothing came. */
  readonly rank: number;
}
