import type { Run } from '../../agent/run.ts';
import { displayName } from '../../trace/display-name.ts';
import type { CollectedTrace, SourceKind } from '../../trace/trace-set.ts';
import type { AssertionRegistry } from '../assertion-registry.ts';
import { viewOf } from '../judge/view-of.ts';
import { isSelected, type RunSelection } from '../run-selection.ts';
import type { Scenario } from '../suite.ts';
import type { ScenarioDocument, SuiteDocument } from '../suite-document.ts';
import { absentParentsOf } from './absent-parents.ts';
import { chooseAssertions, type LeftOut } from './choose-assertions.ts';
import { runCandidates } from './run-candidates.ts';

export interface RecordedRun {
  readonly run: Run;
  readonly traces: readonly CollectedTrace[];
}

export interface GenerateGivens {
  readonly kind: SourceKind;
  readonly acceptsSettled: boolean;
  readonly oneRun: boolean;
  readonly registry: AssertionRegistry;
  readonly instrumented: readonly string[];
}

export interface GeneratedSuite {
  /** `undefined` where nothing can be asserted of these runs. */
  readonly suite: SuiteDocument | undefined;
  readonly leftOut: readonly (LeftOut & { readonly scenario: string })[];
}

/**
 * A suite that the runs pass: one scenario for each agent (or service), with assertions that hold in all of its runs, each
 * tried before it is written.
 */
export function generateSuite(recorded: readonly RecordedRun[], givens: GenerateGivens): GeneratedSuite {
  const scenarios: ScenarioDocument[] = [];
  const leftOut: (LeftOut & { readonly scenario: string })[] = [];
  for (const { name, select } of groupsOf(recorded)) {
    const runs = recorded.filter(({ run }) => isSelected(run, select));
    if (runs.length === 0) continue;
    const candidates = runCandidates(runs.map(({ run }) => run));
    const parents = absentParentsOf(runs);
    const scenario = { ...scenarioOf(name, givens), ...parents };
    const views = runs.map(({ run, traces }) =>
      viewOf(
        scenario,
        { run, traces, kind: givens.kind },
        { acceptsSettled: givens.acceptsSettled, digest: () => null },
      ),
    );
    const chosen = chooseAssertions(candidates, views, givens.registry);
    leftOut.push(...chosen.leftOut.map((each) => ({ scenario: name, ...each })));
    if (chosen.assertions.length === 0) continue;
    scenarios.push({
      name,
      ...(Object.keys(select).length === 0 ? {} : { select }),
      ...parents,
      ...(givens.acceptsSettled ? { completeness: 'settled' as const } : {}),
      ...(givens.oneRun ? { oneRun: true } : {}),
      assertions: chosen.assertions,
    });
  }
  const traces = givens.instrumented.length === 0 ? {} : { traces: { instrumented: givens.instrumented } };
  const suite = scenarios.length === 0 ? undefined : { schema: 'otel-eval/suite/v1' as const, ...traces, scenarios };
  return { suite, leftOut };
}

interface RunGroup {
  readonly name: string;
  readonly select: RunSelection;
}

/** What tells the runs apart that a later run has too: agent or service, never an id. */
function groupsOf(recorded: readonly RecordedRun[]): RunGroup[] {
  const groups = new Map<string, RunGroup>();
  for (const { run } of recorded) {
    const group = groupOf(run);
    groups.set(JSON.stringify(group), group);
  }
  const all = [...groups.values()];
  const [only] = all;
  if (only !== undefined && all.length === 1) return [{ ...only, select: {} }];
  // A trace beside the run, as of a set-up phase, names no agent.
  const byAgent = all.filter(({ select }) => select.agent !== undefined);
  const byService = all.filter(({ select }) => select.service !== undefined);
  const told = byAgent.length > 0 ? byAgent : byService;
  return told.length > 0 ? told : [{ name: 'recorded run', select: {} }];
}

function groupOf(run: Run): RunGroup {
  const agent = run.agent ?? run.steps.find((step) => step.agent !== null)?.agent ?? null;
  if (isShown(agent)) return { name: agent, select: { agent } };
  const services = new Set(
    run.traces.flatMap(({ spans }) => spans.map(({ resource }) => resource.attributes.get('service.name'))),
  );
  const [service] = services;
  if (services.size === 1 && typeof service === 'string' && isShown(service))
    return { name: service, select: { service } };
  return { name: 'recorded run', select: {} };
}

function isShown(name: string | null): name is string {
  return name !== null && name.trim() !== '' && displayName(name) === name;
}

function scenarioOf(name: string, { acceptsSettled, oneRun }: GenerateGivens): Scenario {
  return {
    name,
    tags: [],
    select: {},
    root: 'local',
    services: [],
    completeness: acceptsSettled ? 'settled' : undefined,
    runBy: undefined,
    oneRun,
    assertions: [],
  };
}
