import type { Assertion } from '../verdict/assertion.ts';
import type { AssertionDocument } from './suite-document.ts';

/** Assertions by id. */
export type AssertionRegistry = ReadonlyMap<string, Assertion>;

// Registered, so that a suite that loads its own copy of the package still works.
const carried = Symbol.for('otel-eval.assertion');

/** The data of an assertion of the user's own, with the assertion in tow: a file of data could not name it. */
export function carryAssertion(assertion: Assertion, parameters: unknown): AssertionDocument {
  return Object.defineProperty({ [assertion.id]: parameters }, carried, { value: assertion });
}

export function carriedAssertion(document: object): Assertion | undefined {
  return (document as { [carried]?: Assertion })[carried];
}
