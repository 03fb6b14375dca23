import type { Assertion } from '../verdict/assertion.ts';

/** An assertion with parameters that it has accepted. */
export interface AssertionUse {
  readonly assertion: Assertion;
  readonly parameters: unknown;
}
