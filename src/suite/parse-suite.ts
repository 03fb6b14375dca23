import type { AssertionRegistry } from './assertion-registry.ts';
import type { AssertionUse } from './assertion-use.ts';
import { faultsProblems, suiteFaults } from './faults/parse-faults.ts';
import { type Parsed, parseAssertion } from './parse-assertion.ts';
import { runProblems, scenarioRun, suiteRun } from './run/parse-run.ts';
import { schemaProblems } from './schema-problems.ts';
import type { Scenario, Suite } from './suite.ts';
import type { AssertionDocument, ScenarioDocument, SuiteDocument } from './suite-document.ts';
import type { SuiteProblem } from './suite-problem.ts';
import { suiteSchema } from './suite-schema.ts';

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
  const wrong = [...repeated, ...runProblems(document, registry), ...faultsProblems(document, registry)];
  if (wrong.length > 0) return { problems: wrong };
  const scenarios = document.scenarios.map((scenario, i) => ({
    ...withDefaults(scenario, uses.byScenario[i] ?? []),
    run: scenarioRun(scenario, registry),
  }));
  const run = { ...suiteRun(document), faults: suiteFaults(document, registry) };
  return { value: { name: document.name ?? name, path, traces: document.traces ?? {}, scenarios, run } };
}

function withDefaults(scenario: ScenarioDocument, assertions: readonly AssertionUse[]): Scenario {
  return {
    name: scenario.name,
    tags: scenario.tags ?? [],
    select: scenario.select ?? {},
    root: scenario.root ?? 'local',
    ...(scenario.absentParentOf === undefined ? {} : { absentParentOf: [scenario.absentParentOf].flat() }),
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
