import { schemaProblems } from '../suite/schema-problems.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Assertion } from '../verdict/assertion.ts';
import { liftMatchers } from './lifted-matchers.ts';

/** What a matcher takes beside what its assertion names at that place. */
const alsoTaken: Readonly<Record<string, string>> = {
  ToolCalled: 'how often is said by exactly, atLeast, atMost or none',
  WithinBudget: 'a bound is { max: 3, source: "where the number comes from" }',
};

/** Parameters as the assertion takes them, defaults filled in; else one sentence that says what was expected. */
export function acceptedParameters(assertion: Assertion, parameters: unknown): unknown {
  const { plain, restore } = liftMatchers(parameters);
  const parsed = assertion.parameters.safeParse(plain);
  if (parsed.success) return restore(parsed.data);
  const [problem] = schemaProblems(parsed.error, plain, assertion.parameters);
  const at = problem === undefined || problem.path.length === 0 ? '' : ` at ${problem.path.join('.')}`;
  const told = [problem?.message ?? 'parameters were not accepted', problem?.hint, alsoTaken[assertion.id]];
  const sentence = told.filter((part) => part !== undefined).join('; ');
  throw new OtelEvalError('OTEL_EVAL_USAGE', `${assertion.id}${at}: ${sentence}`);
}
