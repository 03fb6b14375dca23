import type { Scope, Span } from '../trace/span.ts';
import type { Thread } from './asked-calls.ts';
import { type Dialect, sightRowOf } from './dialect.ts';
import type { Layer } from './layer.ts';
import type { LayeredModelCall } from './model-calls.ts';
import type { DialectUse } from './run.ts';
import type { LayeredToolCall } from './tool-calls.ts';
import type { ToolFacts } from './tool-facts.ts';
import { better, type Sight, sightOfShare, sights, type Visibility, visibleFacts, worse } from './visibility.ts';

/** One instrumentation and its spans in a run. */
export interface Use {
  readonly dialect: Dialect;
  version: string | null;
  readonly scope: string;
  readonly spans: Span[];
}

/** What was read of a run. */
export interface RunFacts {
  readonly models: readonly LayeredModelCall[];
  readonly threads: readonly Thread[];
  readonly tools: ToolFacts;
}

/** Which instrumentations tell of the run, in order of first appearance. */
export function usesOf(layers: readonly Layer[]): readonly Use[] {
  const uses = new Map<string, Use>();
  let last: { readonly dialect: Dialect; readonly scope: Scope; readonly use: Use } | undefined;
  for (const { dialect, span } of layers) {
    const { scope } = span;
    if (last?.scope !== scope || last.dialect !== dialect) last = { dialect, scope, use: useOf(dialect, scope, uses) };
    last.use.version ??= dialect.generation?.(span) ?? (scope.version === '' ? null : scope.version);
    last.use.spans.push(span);
  }
  return [...uses.values()];
}

/** One instrumentation is one use, however many requests it came in. */
function useOf(dialect: Dialect, { name, version }: Scope, uses: Map<string, Use>): Use {
  const key = `${dialect.name}\u0000${name}\u0000${version}`;
  const use = uses.get(key) ?? { dialect, version: null, scope: name, spans: [] };
  uses.set(key, use);
  return use;
}

export function dialectUses(uses: readonly Use[]): readonly DialectUse[] {
  const told = new Map<string, { name: string; version: string | null; scopes: string[] }>();
  for (const { dialect, version, scope } of uses) {
    const key = `${dialect.name} ${version}`;
    const use = told.get(key) ?? { name: dialect.name, version, scopes: [] };
    if (scope !== '' && !use.scopes.includes(scope)) use.scopes.push(scope);
    told.set(key, use);
  }
  return [...told.values()];
}

/** What the dialects can show, or the user vouches for, corrected by what this trace gives evidence for. */
export function visibilityOf(uses: readonly Use[], facts: RunFacts, instrumented: readonly string[] = []): Visibility {
  const sightOf = new Map<string, Visibility>();
  for (const use of uses) {
    const key = useKey(use.dialect, use.scope);
    sightOf.set(key, bestOf(sightOf.get(key) ?? nothing, sightOfUse(use, instrumented)));
  }
  const declared = [...sightOf.values()].reduce(bestOf, nothing);
  const isOwn = uses.some(({ scope }) => scope === 'otel-eval' || instrumented.includes(scope));
  const failureMarks = marksOfCalls(facts.tools.calls, sightOf) ?? declared.failureMarks;
  const seen = corrected({ ...withModels(declared, facts, isOwn), failureMarks }, facts);
  return facts.tools.calls.some(({ maySleep }) => maySleep) ? atMostPartly(seen) : seen;
}

const nothing = sights('hidden');
const vouched = sights('shown', { failureMarks: 'shown' });

function sightOfUse({ dialect, scope, version, spans }: Use, instrumented: readonly string[]): Visibility {
  if (instrumented.includes(scope)) return vouched;
  return sightRowOf(dialect, { scope, version, spans })?.shows ?? nothing;
}

function useKey({ name }: Dialect, scope: string): string {
  return `${name}\u0000${scope}`;
}

/** Each call is marked as well as the best of its spans would be; the run as the worst of its calls. */
function marksOfCalls(calls: readonly LayeredToolCall[], sightOf: ReadonlyMap<string, Visibility>): Sight | undefined {
  const markOf = marksOfLayers(sightOf);
  let worst: Sight | undefined;
  for (const { layers } of calls) {
    if (layers.length === 0) continue;
    let best: Sight = 'hidden';
    for (const layer of layers) best = better(best, markOf(layer));
    worst = worst === undefined ? best : worse(worst, best);
  }
  return worst;
}

/** Neighbours are nearly always told of by one instrumentation, which is then looked up once. */
function marksOfLayers(sightOf: ReadonlyMap<string, Visibility>): (layer: Layer) => Sight {
  let last: { readonly dialect: Dialect; readonly scope: Scope; readonly mark: Sight } | undefined;
  return ({ dialect, span: { scope } }) => {
    if (last?.scope !== scope || last.dialect !== dialect) {
      last = { dialect, scope, mark: sightOf.get(useKey(dialect, scope.name))?.failureMarks ?? 'hidden' };
    }
    return last.mark;
  };
}

/** A run that sleeps may have gone on where this trace does not reach. */
function atMostPartly(sight: Visibility): Visibility {
  const { modelCalls, failedModelCalls, toolCalls, failedToolCalls, usage, humanInputs } = sight;
  return {
    ...sight,
    modelCalls: worse(modelCalls, 'partly'),
    failedModelCalls: worse(failedModelCalls, 'partly'),
    toolCalls: worse(toolCalls, 'partly'),
    failedToolCalls: worse(failedToolCalls, 'partly'),
    usage: worse(usage, 'partly'),
    humanInputs: worse(humanInputs, 'partly'),
  };
}

/**
 * Hardly an agent runs without a model: where there is no model call, models cannot be seen, unless the application
 * itself says that it wraps each of them and none of its tools was asked for.
 */
function withModels(sight: Visibility, { models, tools }: RunFacts, isOwn: boolean): Visibility {
  if (models.length > 0 || (isOwn && tools.calls.length === 0)) return sight;
  return { ...sight, modelCalls: 'hidden', failedModelCalls: 'hidden' };
}

function bestOf(a: Visibility, b: Visibility): Visibility {
  if (a === nothing) return b;
  return Object.fromEntries(visibleFacts.map((fact) => [fact, better(a[fact], b[fact])])) as unknown as Visibility;
}

function corrected(declared: Visibility, facts: RunFacts): Visibility {
  const { models } = facts;
  const { calls: tools, notRun } = facts.tools;
  const modelCalls =
    declared.modelCalls !== 'shown' && historiesAreWhole(facts)
      ? 'shown'
      : atLeastPartly(declared.modelCalls, models.length);
  const open = declared.toolCalls !== 'shown' || declared.failedToolCalls !== 'shown';
  const told = open && modelCalls === 'shown' && everyRequestTold(facts);
  const ran = (own: Sight) => {
    if (told) return 'shown';
    const seen = atLeastPartly(own, tools.length);
    return notRun.length > 0 ? worse(seen, 'partly') : seen;
  };
  const share = (seen: (call: LayeredToolCall) => boolean, own: Sight) =>
    tools.length === 0 ? own : sightOfShare(countOf(tools, seen), tools.length);
  return {
    ...declared,
    modelCalls,
    toolCalls: ran(declared.toolCalls),
    toolNames: share(({ name }) => name !== null, declared.toolNames),
    failedToolCalls: told
      ? 'shown'
      : notRun.length > 0
        ? worse(declared.failedToolCalls, 'partly')
        : declared.failedToolCalls,
    callIds: share(({ callId }) => callId !== null, declared.callIds),
    arguments: share(({ hasArguments }) => hasArguments, declared.arguments),
    results: share((call) => call.hasResult || call.outcome === 'failed', declared.results),
    usage: usageSight(facts, modelCalls === 'shown' ? 'shown' : declared.usage),
    content: contentSight(facts, declared.content),
  };
}

function countOf<T>(list: readonly T[], test: (item: T) => boolean): number {
  let count = 0;
  for (const item of list) if (test(item)) count += 1;
  return count;
}

/** What was seen can be seen. */
function atLeastPartly(own: Sight, seen: number): Sight {
  return seen > 0 ? better(own, 'partly') : own;
}

/**
 * Whether the messages prove that no model call is missing, whoever wrote the spans: the last call of each agent got
 * every answer of the calls before it, and no more, and asked for nothing further.
 */
function historiesAreWhole({ models, threads }: RunFacts): boolean {
  if (models.length === 0 || models.some(({ agentLayer }) => agentLayer === undefined)) return false;
  return threads.every((thread) => {
    const last = thread.at(-1);
    const answer = last?.outputMessages();
    if (answer === undefined || answer.some(({ toolCalls }) => toolCalls.length > 0)) return false;
    const before = last?.inputMessages()?.filter(({ role }) => role === 'assistant').length;
    return before === thread.length - 1;
  });
}

/**
 * Whether the models' own messages prove that no tool call is missing: every model call is here with its answer, and of
 * every request it is known what became of it.
 */
function everyRequestTold({ models, tools: { calls: tools, notRun } }: RunFacts): boolean {
  if (models.length === 0 || notRun.length > 0) return false;
  if (tools.some(({ layers, asked }) => layers.length === 0 && asked?.answer === undefined)) return false;
  return models.every((model) => {
    if (!model.hasAnswer) return model.outcome === 'failed';
    if (model.finish !== 'tool_calls') return true;
    return model.outputMessages()?.some(({ toolCalls }) => toolCalls.length > 0) === true;
  });
}

function usageSight({ models }: RunFacts, declared: Sight): Sight {
  const due = countOf(models, ({ outcome }) => outcome !== 'failed');
  if (due === 0) return declared;
  const told = sightOfShare(
    countOf(models, ({ outcome, usage }) => outcome !== 'failed' && usage !== null),
    due,
  );
  return declared === 'shown' ? told : worse(told, 'partly');
}

function contentSight({ models, tools: { calls: tools } }: RunFacts, declared: Sight): Sight {
  if (models.length === 0) return tools.some(({ hasArguments }) => hasArguments) ? 'partly' : worse(declared, 'partly');
  const told = sightOfShare(
    countOf(models, ({ hasAnswer }) => hasAnswer),
    models.length,
  );
  if (told === 'hidden') return tools.some(({ hasArguments }) => hasArguments) ? 'partly' : 'hidden';
  const cut = models.some(({ layers }) => layers.some(({ span }) => span.droppedAttributesCount > 0));
  return cut ? worse(told, 'partly') : told;
}
