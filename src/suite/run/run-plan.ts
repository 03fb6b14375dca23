import { createHash } from 'node:crypto';
import { canonicalJson } from '../../trace/canonical-json.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { parseDuration } from '../duration.ts';
import { withFaultedScenarios } from '../faults/faulted-scenarios.ts';
import type { Pack } from '../pack/pack.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { TrialPolicy } from '../policy/trial-policy.ts';
import type { Scenario, Suite } from '../suite.ts';
import type { ProfileDocument, TracesDocument } from '../suite-document.ts';
import { type PlannedTrial, planTrials } from '../trial/planned-trial.ts';
import { type Shard, shardOf } from '../trial/shard.ts';
import type { TargetDocument, TrialsDocument } from './run-document.ts';

/** What the user chose on the command line. */
export interface RunChoice {
  readonly profile: string | undefined;
  /** Only scenarios that have all of these. */
  readonly tags: readonly string[];
  /** Only scenarios of these names; empty: all. */
  readonly scenarios: readonly string[];
  /** Only this trial of each scenario. */
  readonly trial: number | undefined;
  /** Instead of what the suite says. */
  readonly trials: number | undefined;
  readonly seed: number;
  readonly shard: Shard | undefined;
}

export interface PlannedScenario {
  readonly scenario: Scenario;
  /** Trials in all shards together. */
  readonly planned: number;
  readonly policy: TrialPolicy;
  readonly stopEarly: boolean;
  readonly timeoutMs: number;
  /** A scripted model repeats its answers: they do not tell trials apart. */
  readonly scripted: boolean;
  readonly pack: Pack | undefined;
}

/** All that will be run, before anything is run. */
export interface RunPlan {
  readonly suite: Suite;
  readonly profile: string | null;
  readonly target: TargetDocument;
  readonly traces: TracesDocument;
  readonly concurrency: number | undefined;
  readonly scenarios: readonly PlannedScenario[];
  /** Of this shard. */
  readonly trials: readonly PlannedTrial[];
  readonly seed: number;
  readonly shard: Shard | null;
  /** Of scenarios, steps, assertions, policies and target: results of equal plans may be compared. */
  readonly hash: string;
  /** Of the inputs alone. */
  readonly corpus: string;
  /** Of the plan with its seed, trials and shard: what a journal belongs to. */
  readonly journalHash: string;
}

const defaultTimeoutMs = 60_000;

/** Chooses and completes what is to be run; whatever cannot be run is an error before anything is. */
export function planRun(suite: Suite, choice: RunChoice): RunPlan {
  const profile = profileOf(suite, choice.profile);
  const target = profile?.target ?? suite.run?.target;
  if (target === undefined) throw noTarget(suite);
  const chosen = withFaultedScenarios(suite).filter((scenario) => isChosen(scenario, choice, profile));
  if (chosen.length === 0) throw nothingChosen(suite, choice, profile);
  if (target === 'traces') requireNothingDriven(choice);
  const scenarios = chosen.map((scenario) => planScenario(scenario, suite, { choice, profile, target }));
  const all = planTrials(
    scenarios.map(({ scenario, planned }) => ({ name: scenario.name, trials: choice.trial ?? planned })),
    choice.seed,
  ).filter(({ index }) => choice.trial === undefined || index === choice.trial);
  const trials = choice.shard === undefined ? all : shardOf(all, choice.shard);
  const hash = fingerprint([suite.name, choice.profile ?? null, target, scenarios.map(planOf), choice.trial ?? null]);
  const corpus = fingerprint(
    scenarios.map(({ scenario }) => [
      scenario.name,
      scenario.run?.steps.map(({ input, conversation }) => [input, conversation]),
    ]),
  );
  const shard = choice.shard ?? null;
  return {
    suite,
    profile: choice.profile ?? null,
    target,
    traces: { ...suite.traces, ...profile?.traces },
    concurrency: profile?.concurrency,
    scenarios,
    trials,
    seed: choice.seed,
    shard,
    hash,
    corpus,
    journalHash: fingerprint([hash, corpus, trials, shard]),
  };
}

function profileOf(suite: Suite, name: string | undefined): ProfileDocument | undefined {
  const profiles = suite.run?.profiles ?? {};
  const names = Object.keys(profiles);
  if (name === undefined) return undefined;
  if (Object.hasOwn(profiles, name)) return profiles[name];
  throw new OtelEvalError('OTEL_EVAL_USAGE', `the suite has no profile "${name.slice(0, 80)}"`, {
    hint: names.length === 0 ? 'it names no profile' : `it has ${names.join(', ')}`,
  });
}

function isChosen(scenario: Scenario, choice: RunChoice, profile: ProfileDocument | undefined): boolean {
  const tags = [...choice.tags, ...(profile?.tags ?? [])];
  const named = choice.scenarios.length === 0 || choice.scenarios.includes(scenario.name);
  return named && tags.every((tag) => scenario.tags.includes(tag));
}

interface Givens {
  readonly target: TargetDocument;
  readonly choice: RunChoice;
  readonly profile: ProfileDocument | undefined;
}

function planScenario(scenario: Scenario, suite: Suite, { choice, profile, target }: Givens): PlannedScenario {
  // A profile says how much may be spent: it wins over what a scenario asks for.
  const layers: TrialsDocument[] = [profile ?? {}, scenario.run?.own ?? {}, suite.run?.defaults ?? {}];
  const nearest = <Key extends keyof TrialsDocument>(key: Key): TrialsDocument[Key] =>
    layers.find((layer) => layer[key] !== undefined)?.[key];
  const planned = choice.trial === undefined ? (choice.trials ?? nearest('trials') ?? 1) : 1;
  const policy = choice.trial === undefined ? policyOf(nearest('policy')) : ({ kind: 'all' } as const);
  if (target !== 'traces') requirePossible(scenario, policy, planned);
  if (target !== 'traces' && (scenario.run?.steps ?? []).length === 0) {
    throw new OtelEvalError(
      'OTEL_EVAL_SUITE',
      `scenario "${scenario.name}" has no steps: there is nothing to ask the target`,
      {
        hint: 'give it steps, or judge existing traces: "target: traces", or "otel-eval check"',
      },
    );
  }
  const timeout = nearest('timeout');
  return {
    scenario,
    planned,
    policy,
    stopEarly: nearest('stopEarly') ?? false,
    timeoutMs: timeout === undefined ? defaultTimeoutMs : (parseDuration(timeout) ?? defaultTimeoutMs),
    scripted: nearest('model') === 'scripted',
    pack: suite.run?.packs.find(({ name }) => name === scenario.run?.pack),
  };
}

/** Existing runs are as many as they are. */
function requireNothingDriven({ trials, trial, shard }: RunChoice): void {
  const [flag] =
    Object.entries({ '--trials': trials, '--trial': trial, '--shard': shard }).find(([, v]) => v !== undefined) ?? [];
  if (flag === undefined) return;
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `${flag} is for a target that is driven, and this suite judges existing traces`,
    {
      hint: 'choose runs by --input, --service, --since and the like',
    },
  );
}

function requirePossible({ name }: Scenario, policy: TrialPolicy, planned: number): void {
  const needed = policy.kind === 'passes' ? policy.passes : policy.kind === 'passHatK' ? policy.k : 1;
  if (needed <= planned) return;
  throw new OtelEvalError(
    'OTEL_EVAL_SUITE',
    `the policy of scenario "${name}" needs ${needed} trials, got ${planned}`,
    {
      hint: 'plan more trials (trials:, --trials), or ask for less',
    },
  );
}

function noTarget(suite: Suite): OtelEvalError {
  const names = Object.keys(suite.run?.profiles ?? {});
  const hint =
    names.length === 0
      ? 'give the suite a target, or judge existing traces with "otel-eval check"'
      : `choose a profile that has one: ${names.join(', ')}`;
  return new OtelEvalError('OTEL_EVAL_USAGE', 'the suite names no target to run', { hint });
}

function nothingChosen(
  suite: Suite,
  { scenarios, tags }: RunChoice,
  profile: ProfileDocument | undefined,
): OtelEvalError {
  const absent = scenarios.find((name) => !suite.scenarios.some((scenario) => scenario.name === name));
  const known = `it has ${suite.scenarios.map(({ name }) => `"${name}"`).join(', ')}`;
  if (absent !== undefined)
    return new OtelEvalError('OTEL_EVAL_USAGE', `the suite has no scenario "${absent}"`, { hint: known });
  const wanted = [...tags, ...(profile?.tags ?? [])];
  return new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `no scenario has ${wanted.length > 1 ? 'all of the tags' : 'the tag'} ${wanted.join(', ')}`,
    { hint: known },
  );
}

/** What of a scenario makes its results comparable: all but how often it is run. */
function planOf({ scenario, policy, timeoutMs, scripted, pack }: PlannedScenario): unknown {
  const uses = (list: Scenario['assertions']): unknown =>
    list.map(({ assertion, parameters }) => [assertion.id, parameters]);
  const { select, root, absentParentOf, services, completeness, tags, run } = scenario;
  return {
    name: scenario.name,
    tags,
    select,
    root,
    absentParentOf,
    services,
    completeness,
    assertions: uses(scenario.assertions),
    steps: run?.steps.map((step) => [step.name, step.conversation, uses(step.assertions)]),
    everyTrial: run?.everyTrial,
    judges: run?.judges,
    fault: run?.fault,
    policy,
    timeoutMs,
    scripted,
    pack,
  };
}

function fingerprint(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}
