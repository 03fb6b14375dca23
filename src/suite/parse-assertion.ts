import { type AssertionRegistry, carriedAssertion } from './assertion-registry.ts';
import type { AssertionUse } from './assertion-use.ts';
import { nearestName } from './nearest-name.ts';
import { schemaProblems } from './schema-problems.ts';
import type { AssertionDocument } from './suite-document.ts';
import type { SuiteProblem } from './suite-problem.ts';

type Path = readonly (string | number)[];

export type Parsed<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly SuiteProblem[] };

/** `ToolCalled` or `{ ToolCalled: { … } }` → the assertion and parameters that it accepts. */
export function parseAssertion(
  document: AssertionDocument,
  registry: AssertionRegistry,
  path: Path,
): Parsed<AssertionUse> {
  const names = typeof document === 'string' ? [document] : Object.keys(document);
  const [name = ''] = names;
  if (names.length !== 1) {
    const got = names.length === 0 ? 'an empty map' : names.join(' and ');
    return { problems: [{ path, message: `expected one assertion a list item, got ${got}` }] };
  }
  const own = typeof document === 'string' ? undefined : carriedAssertion(document);
  const assertion = own ?? registry.get(name);
  const at = typeof document === 'string' ? path : [...path, name];
  if (assertion === undefined) return { problems: [unknownAssertion(name, registry, at)] };
  const given = typeof document === 'string' ? {} : (document[name] ?? {});
  const result = assertion.parameters.safeParse(given);
  if (result.success) return { value: { assertion, parameters: result.data } };
  const problems = schemaProblems(result.error, given, assertion.parameters);
  return { problems: problems.map((problem) => ({ ...problem, path: [...at, ...problem.path] })) };
}

function unknownAssertion(name: string, registry: AssertionRegistry, path: Path): SuiteProblem {
  const near = nearestName(name, registry.keys());
  const hint = near === undefined ? `known are ${[...registry.keys()].join(', ')}` : `did you mean "${near}"?`;
  return { path, message: `unknown assertion "${name.slice(0, 80)}"`, hint };
}
