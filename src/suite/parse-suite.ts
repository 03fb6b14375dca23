import { type AssertionRegistry, carriedAssertion } from './assertion-registry.ts';
import { nearestName } from './nearest-name.ts';
import { schemaProblems } from './schema-problems.ts';
import type { AssertionUse, Scenario, Suite } from './suite.ts';
import type { AssertionDocument, ScenarioDocument, SuiteDocument } from './suite-document.ts';
import type { SuiteProblem } from './suite-problem.ts';
import { suiteSchema } from './suite-schema.ts';

type Path = readonly (string | number)[];

export type Parsed<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly SuiteProblem[] };

/** Data → suite, or everything that is wrong with it. Positions are added by whoever knows the text. */
export function parseSuite(
  data: unknown,
  registry: AssertionRegistry,
  { name, path }: { readonly name: string | null; readonly path?: string },
): Parsed<Suite> {
  const frame = suiteSchema.safeParse(data);
  const uses = assertionsOf(data, registry);
  const problems = [...(frame.success ? [] : schemaProblems(frame.error, data, suiteSchema)), ...uses.problems];
  if (!frame.success || problems.length > 0) return { problems };
  const document: SuiteDocument = frame.data;
  const repeated = repeatedNames(document.scenarios);
  if (repeated.length > 0) return { problems: repeated };
  const scenarios = document.scenarios.map((scenario, i) => withDefaults(scenario, uses.byScenario[i] ?? []));
  return { value: { name: document.name ?? name, path, traces: document.traces ?? {}, scenarios } };
}

function withDefaults(scenario: ScenarioDocument, assertions: readonly AssertionUse[]): Scenario {
  return {
    name: scenario.name,
    tags: scenario.tags ?? [],
    select: scenario.select ?? {},
    root: scenario.root ?? 'local',
    services: scenario.services ?? [],
    completeness: scenario.completeness,
    runBy: scenario.runBy,
    oneRun: scenario.oneRun ?? false,
    assertions,
  };
}

function repeatedNames(scenarios: readonly ScenarioDocument[]): SuiteProblem[] {
  const names = scenarios.map(({ name }) => name);
  return names.flatMap((name, i) =>
    names.indexOf(name) === i ? [] : [{ path: ['scenarios', i, 'name'], message: `two scenarios are named "${name}"` }],
  );
}

interface Uses {
  readonly byScenario: readonly (readonly AssertionUse[])[];
  readonly problems: readonly SuiteProblem[];
}

/** Also of a suite whose frame is wrong, so that all problems are told at once. */
function assertionsOf(data: unknown, registry: AssertionRegistry): Uses {
  const scenarios = listAt(data, 'scenarios');
  const parsed = scenarios.map((scenario, i) =>
    listAt(scenario, 'assertions').map((item, j) =>
      isAssertionDocument(item) ? parseAssertion(item, registry, ['scenarios', i, 'assertions', j]) : { problems: [] },
    ),
  );
  return {
    byScenario: parsed.map((list) => list.flatMap(({ value }) => (value === undefined ? [] : [value]))),
    problems: parsed.flat().flatMap(({ problems }) => problems ?? []),
  };
}

function listAt(data: unknown, key: string): readonly unknown[] {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined;
  return Array.isArray(value) ? value : [];
}

function isAssertionDocument(item: unknown): item is AssertionDocument {
  return typeof item === 'string' || (typeof item === 'object' && item !== null && !Array.isArray(item));
}

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
