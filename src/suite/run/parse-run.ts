import type { AssertionRegistry } from '../assertion-registry.ts';
import type { AssertionUse } from '../assertion-use.ts';
import { nearestName } from '../nearest-name.ts';
import { type KnownPack, knownPacks, type Pack } from '../pack/pack.ts';
import { parseAssertion } from '../parse-assertion.ts';
import type { ScenarioRun, StepUse, SuiteRun } from '../suite.ts';
import type { AssertionDocument, ScenarioDocument, SuiteDocument } from '../suite-document.ts';
import type { SuiteProblem } from '../suite-problem.ts';
import type { PackDocument, StepDocument } from './run-document.ts';

/** What of a suite is for `otel-eval run`. */
export function suiteRun(document: SuiteDocument): SuiteRun {
  const { target, profiles = {}, judges = {}, trials, policy, stopEarly, timeout, model } = document;
  return {
    target,
    profiles,
    judges,
    packs: packsOf(document),
    probe: document.probe,
    defaults: { trials, policy, stopEarly, timeout, model },
  };
}

export function scenarioRun(scenario: ScenarioDocument, registry: AssertionRegistry): ScenarioRun {
  const { pack, everyTrial = [], judges = [], trials, policy, stopEarly, timeout, model } = scenario;
  return {
    steps: (scenario.steps ?? []).map((step, at) => stepUse(step, at, registry)),
    pack,
    everyTrial,
    judges,
    own: { trials, policy, stopEarly, timeout, model },
  };
}

/** What is wrong with the parts for `otel-eval run`, beyond their shape. */
export function runProblems(document: SuiteDocument, registry: AssertionRegistry): SuiteProblem[] {
  const packs = packsOf(document).map(({ name }) => name);
  const judges = Object.keys(document.judges ?? {});
  const unknownPacks = (document.packs ?? []).flatMap((pack, at) =>
    typeof pack === 'string' && knownPack(pack) === undefined
      ? [unknown('pack', pack, { path: ['packs', at], names: knownPacks.map(({ name }) => name) })]
      : [],
  );
  return [
    ...unknownPacks,
    ...unprovenPacks(document),
    ...document.scenarios.flatMap((scenario, at) => scenarioProblems(scenario, at, { packs, judges, registry })),
  ];
}

/** A known pack is shown by its own assertion; without it a scenario of that name would pass on less. */
function unprovenPacks({ packs = [], scenarios }: SuiteDocument): SuiteProblem[] {
  return packs.flatMap((name, at) => {
    const provenBy = typeof name === 'string' ? knownPack(name)?.provenBy : undefined;
    const own = scenarios.filter(({ pack }) => pack === name);
    if (provenBy === undefined || own.length === 0 || own.some((scenario) => namesOf(scenario).includes(provenBy))) {
      return [];
    }
    const message = `no scenario of the pack "${name}" asks for ${provenBy}, which proves it`;
    return [{ path: ['packs', at], message }];
  });
}

function namesOf({ assertions }: ScenarioDocument): readonly string[] {
  return assertions.map((each) => (typeof each === 'string' ? each : (Object.keys(each)[0] ?? '')));
}

interface Known {
  readonly packs: readonly string[];
  readonly judges: readonly string[];
  readonly registry: AssertionRegistry;
}

function scenarioProblems(scenario: ScenarioDocument, at: number, { packs, judges, registry }: Known): SuiteProblem[] {
  const base = ['scenarios', at];
  const own = namesOf(scenario);
  const steps = (scenario.steps ?? []).flatMap((step, i) =>
    (typeof step === 'string' ? [] : (step.assertions ?? [])).flatMap(
      (each, j) => parseAssertion(each, registry, [...base, 'steps', i, 'assertions', j]).problems ?? [],
    ),
  );
  return [
    ...(scenario.pack !== undefined && !packs.includes(scenario.pack)
      ? [unknown('pack', scenario.pack, { path: [...base, 'pack'], names: packs })]
      : []),
    ...(scenario.everyTrial ?? []).flatMap((name, i) =>
      own.includes(name)
        ? []
        : [unknown('assertion of this scenario', name, { path: [...base, 'everyTrial', i], names: own })],
    ),
    ...(scenario.judges ?? []).flatMap((name, i) =>
      judges.includes(name) ? [] : [unknown('judge', name, { path: [...base, 'judges', i], names: judges })],
    ),
    ...steps,
  ];
}

function unknown(
  what: string,
  name: string,
  { path, names }: { path: readonly (string | number)[]; names: readonly string[] },
): SuiteProblem {
  const near = nearestName(name, names);
  const known = names.length === 0 ? `the suite names no ${what}` : `known are ${names.join(', ')}`;
  return {
    path,
    message: `unknown ${what} "${name.slice(0, 80)}"`,
    hint: near === undefined ? known : `did you mean "${near}"?`,
  };
}

function packsOf(document: SuiteDocument): Pack[] {
  return (document.packs ?? []).flatMap((pack: PackDocument) => (typeof pack === 'string' ? packNamed(pack) : [pack]));
}

/** What the proof in a trial knows of it. */
function packNamed(wanted: string): Pack[] {
  const known = knownPack(wanted);
  return known === undefined ? [] : [{ name: known.name, requires: known.requires }];
}

function knownPack(name: string): KnownPack | undefined {
  return knownPacks.find((pack) => pack.name === name);
}

function stepUse(step: string | StepDocument, at: number, registry: AssertionRegistry): StepUse {
  const {
    name,
    input,
    conversation,
    assertions = [],
  } = typeof step === 'string' ? ({ input: step } as StepDocument) : step;
  return {
    name: name ?? `step ${at + 1}`,
    input,
    conversation: conversation ?? 'main',
    assertions: assertions.flatMap((each: AssertionDocument): readonly AssertionUse[] => {
      const { value } = parseAssertion(each, registry, []);
      return value === undefined ? [] : [value];
    }),
  };
}
