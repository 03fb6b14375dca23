import type { Assertion } from '../verdict/assertion.ts';
import { carryAssertion } from './assertion-registry.ts';
import type { AssertionDocument } from './suite-document.ts';

/** Makes the data of an assertion for a suite: `toolCalled({ match: { tool: 'issue_refund' } })`. */
export interface AssertionFactory<Parameters> {
  (parameters: Parameters): AssertionDocument;
  readonly assertion: Assertion<Parameters>;
}

/**
 * An assertion of your own, as a factory for suites in TypeScript.
 *
 * @example
 * const spansAtMost = defineAssertion({
 *   id: 'SpansAtMost',
 *   summary: 'The run has at most so many spans.',
 *   needs: 'a whole trace',
 *   parameters: z.strictObject({ spans: z.int() }),
 *   findings: { 'too-many': { expected: ({ most }) => `at most ${most} spans`, observed: ({ spans }) => `${spans}` } },
 *   evaluate: (view, { spans }) => …,
 * });
 * export default defineSuite({ scenarios: [{ name: 'small', assertions: [spansAtMost({ spans: 20 })] }] });
 */
export function defineAssertion<Parameters>(assertion: Assertion<Parameters>): AssertionFactory<Parameters> {
  // A suite holds assertions of every kind; each gets only parameters that its own schema has accepted.
  const make = (parameters: Parameters): AssertionDocument => carryAssertion(assertion as Assertion, parameters);
  return Object.assign(make, { assertion });
}
