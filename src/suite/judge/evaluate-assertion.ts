import type { Assertion, View } from '../../verdict/assertion.ts';
import { withCutsNamed } from '../../verdict/cut-evidence.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import type { AssertionUse } from '../assertion-use.ts';

/** A verdict, or the accident that kept us from one: a fault in the assertion, never a statement about the run. */
export type AssertionOutcome =
  | { readonly assertion: Assertion; readonly verdict: Verdict; readonly accident?: undefined }
  | { readonly assertion: Assertion; readonly verdict?: undefined; readonly accident: unknown };

/** Judges one run by one assertion. A pass that examined nothing is no pass (design §2, law 1). */
export function evaluateAssertion({ assertion, parameters }: AssertionUse, view: View): AssertionOutcome {
  try {
    const verdict = withCutsNamed(assertion.evaluate(view, parameters), view);
    if (verdict.status !== 'passed' || verdict.examined > 0) return { assertion, verdict };
    const message = `${assertion.id} examined no span: nothing is no evidence`;
    const missing = [...verdict.missing, { kind: 'nothing-examined', message }];
    return { assertion, verdict: { ...verdict, status: 'inconclusive', missing } };
  } catch (accident) {
    return { assertion, accident };
  }
}
