/** An assertion that may go into a suite: the ways to say it, the strictest first. */
export interface Candidate {
  readonly name: string;
  readonly ways: readonly Readonly<Record<string, unknown>>[];
  /** Chosen ways of candidates with the same key become one assertion. */
  readonly merge?: 'budget' | 'order';
  /** Tried beside a weaker way, or in the place of all: what can be said of spans where too little is known of the steps. */
  readonly otherwise?: readonly Candidate[];
}

export function candidate(name: string, ...ways: readonly Readonly<Record<string, unknown>>[]): Candidate {
  return { name, ways };
}
