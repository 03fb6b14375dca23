import type { Assertion } from '../verdict/assertion.ts';

/** What a matcher or `assertTrace` says of a run: one assertion, and the verdict that makes the claim true. */
export interface Claim {
  readonly assertion: Assertion;
  readonly parameters: unknown;
  /** `failed` for the opposite of an assertion: that it is known not to hold. */
  readonly holdsWhen: 'passed' | 'failed';
  /** Judge what stands on the spans themselves, without what helpers keep beside them for tests. */
  readonly onSpansOnly?: true;
}

/** A claim and its opposite fact, for `.not`. Never a flip of one boolean: what is inconclusive holds under neither sign. */
export interface ClaimPair {
  readonly claim: Claim;
  readonly opposite: Claim;
}
