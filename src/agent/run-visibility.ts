import type { Dialect } from './dialect.ts';
import type { Layer } from './layer.ts';
import type { DialectUse } from './run.ts';
import type { RunFacts } from './run-facts.ts';
import { better, sightOfShare, sights, type Visibility, visibleFacts, worse } from './visibility.ts';

interface Use {
  readonly dialect: Dialect;
  readonly version: string | null;
  readonly scope: string;
  readonly layers: Layer[];
}

/** Which instrumentations tell of the run, in order of first appearance. */
export function usesOf(layers: readonly Layer[]): readonly Use[] {
  const uses = new Map<string, Use>();
  for (const layer of layers) {
    const { name, version } = layer.span.scope;
    const generation = layer.dialect.generation?.(layer.span);
    const told = generation ?? (version === '' ? null : version);
    const key = `${layer.dialect.name} ${name} ${told}`;
    const use = uses.get(key);
    if (use === undefined) uses.set(key, { dialect: layer.dialect, version: told, scope: name, layers: [layer] });
    else use.layers.push(layer);
  }
  return [...uses.values()];
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

/** What the dialects can show, corrected by what this trace gives evidence for. */
export function visibilityOf(uses: readonly Use[], facts: RunFacts, coverage: 'all' | 'part' | 'none'): Visibility {
  let sight: Visibility = sights('hidden');
  for (const { dialect, scope, version, layers } of uses) {
    const own = dialect.sight({ scope, version, spans: layers.map(({ span }) => span) });
    sight = combined(sight, own, better);
  }
  return corrected(sight, facts, coverage);
}

function combined(a: Visibility, b: Visibility, choose: typeof better): Visibility {
  return Object.fromEntries(visibleFacts.map((fact) => [fact, choose(a[fact], b[fact])])) as unknown as Visibility;
}

function corrected(sight: Visibility, facts: RunFacts, coverage: 'all' | 'part' | 'none'): Visibility {
  const { tools, models } = facts;
  const calls = tools.length;
  const lost = models.some(({ spans }) => spans.some(({ droppedAttributesCount }) => droppedAttributesCount > 0));
  const told = everyRequestTold(facts, sight);
  const ran = (own: Visibility['toolCalls']) => (told ? 'shown' : facts.notRun.length > 0 ? worse(own, 'partly') : own);
  const share = (seen: (call: (typeof tools)[number]) => boolean, otherwise: Visibility['arguments']) =>
    calls === 0 ? otherwise : sightOfShare(tools.filter(seen).length, calls);
  return {
    ...sight,
    toolCalls: ran(sight.toolCalls),
    toolNames: share(({ name }) => name !== null, sight.toolNames),
    failedToolCalls: ran(sight.failedToolCalls),
    callIds: share(({ callId }) => callId !== null, sight.callIds),
    arguments: share((call) => call.arguments() !== undefined, sight.arguments),
    results: share((call) => call.result() !== undefined || call.outcome === 'failed', sight.results),
    usage: models.length === 0 ? sight.usage : coverage === 'all' ? 'shown' : coverage === 'part' ? 'partly' : 'hidden',
    content: contentSight(facts, lost),
  };
}

/**
 * Whether the models' own messages prove that no tool call is missing: every model call is here with its answer, and of
 * every request it is known what became of it.
 */
function everyRequestTold({ models, tools, notRun }: RunFacts, sight: Visibility): boolean {
  if (sight.modelCalls !== 'shown' || models.length === 0 || notRun.length > 0) return false;
  if (tools.some(({ layers, asked }) => layers.length === 0 && asked?.answer === undefined)) return false;
  return models.every((model) => {
    const answer = model.outputMessages();
    if (answer === undefined) return model.outcome === 'failed';
    return model.finish !== 'tool_calls' || answer.some(({ toolCalls }) => toolCalls.length > 0);
  });
}

function contentSight({ models, tools }: RunFacts, lost: boolean): Visibility['content'] {
  const told = models.filter((model) => model.outputMessages() !== undefined).length;
  const seen = sightOfShare(told, Math.max(models.length, 1));
  if (seen === 'hidden') return tools.some((call) => call.arguments() !== undefined) ? 'partly' : 'hidden';
  return lost ? worse(seen, 'partly') : seen;
}
