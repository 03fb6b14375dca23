import { agentCallsOf } from './agent-calls.ts';
import { type AskedCall, askedIn, findAnswers, type Thread } from './asked-calls.ts';
import { sightRowOf } from './dialect.ts';
import { grouped } from './grouped.ts';
import { passesOn } from './handoffs.ts';
import type { Layer } from './layer.ts';
import { matchAsked } from './match-asked.ts';
import { Numbering } from './operations.ts';
import { marksOf } from './span-failure.ts';
import { LayeredToolCall } from './tool-calls.ts';
import { nameOf, type ToolGroup, toolGroupsOf } from './tool-groups.ts';
import { isHandoffName } from './tool-names.ts';

/** What spans and messages tell of a run's tools. */
export interface ToolFacts {
  /** Calls that ran, or may have, in causal order. */
  readonly calls: readonly LayeredToolCall[];
  /** Requests of which no span and no message tells what became. */
  readonly notRun: readonly AskedCall[];
  /** Calls whose own span says that they were not carried out. */
  readonly waiting: readonly ToolGroup[];
  /** Requests that pass control on, and the spans of such. */
  readonly askedHandoffs: readonly AskedCall[];
  readonly handoffGroups: readonly ToolGroup[];
}

export function toolFactsOf(layers: readonly Layer[], threads: readonly Thread[], isResumed: boolean): ToolFacts {
  const own = ownToolTest(layers);
  const groups = toolGroupsOf(layers, isResumed).filter((group) => !own(nameOf(group)));
  const asked = threads.map(askedIn);
  const { matched, left } = asked.some(({ length }) => length > 0)
    ? requestsOf(threads, asked, { groups, own })
    : nothingAsked;
  const [askedHandoffs, real] = split(left, ({ name }) => isHandoffName(name));
  // Where other calls have spans, one without span and answer did not run; where none has, it may have.
  const spansTell = groups.length > 0 && layers.some(({ kind }) => kind === 'agent');
  const delegated = agentCallsOf(layers, new Set(real));
  const [notRun, untold] = split(real, (call) => call.answer === undefined && spansTell && !delegated.has(call));
  const allHaveSpans = untold.length > 0 && spansTell && eachCallHasSpan(layers);
  const idle = (call: AskedCall) => (allHaveSpans && !delegated.has(call) ? 'idle' : undefined);
  const numbering = new Numbering<LayeredToolCall>();
  const { calls, waiting, handoffGroups } = sorted(groups);
  const sleeps = silentWaitTest(layers);
  const ran = calls.map((group) => new LayeredToolCall(group, matched.get(group), numbering, sleeps(group)));
  const rest = untold.map(
    (call) => new LayeredToolCall(delegated.get(call) ?? groupOf(call), call, numbering, idle(call)),
  );
  numbering.calls = rest.length === 0 ? ran : inOrder([...ran, ...rest]);
  return { calls: numbering.calls, notRun, waiting, askedHandoffs, handoffGroups };
}

/** What models asked for: which spans tell of it, and of which no span tells. */
interface Requests {
  readonly matched: ReadonlyMap<ToolGroup, AskedCall>;
  readonly left: readonly AskedCall[];
}

const nothingAsked: Requests = { matched: new Map(), left: [] };

interface ToolSpans {
  readonly groups: readonly ToolGroup[];
  readonly own: (name: string | undefined) => boolean;
}

function requestsOf(
  threads: readonly Thread[],
  asked: readonly (readonly AskedCall[])[],
  { groups, own }: ToolSpans,
): Requests {
  const { matched, alike } = matchAsked(groups, asked.flat());
  const taken = new Set([...matched.values(), ...alike]);
  const open = new Set(asked.flat().filter((call) => !taken.has(call) && !own(call.name)));
  threads.forEach((thread, i) => {
    findAnswers(needAnswers(asked[i] ?? [], open, matched), thread);
  });
  return { matched, left: [...open] };
}

interface SortedGroups {
  readonly calls: readonly ToolGroup[];
  readonly waiting: readonly ToolGroup[];
  readonly handoffGroups: readonly ToolGroup[];
}

function sorted(groups: readonly ToolGroup[]): SortedGroups {
  const calls: ToolGroup[] = [];
  const waiting: ToolGroup[] = [];
  const handoffGroups: ToolGroup[] = [];
  for (const group of groups) (passesOn(group) ? handoffGroups : waits(group) ? waiting : calls).push(group);
  return { calls, waiting, handoffGroups };
}

/** Whether the instrumentations that tell of tools here make a span for every call, failed ones too. */
function eachCallHasSpan(layers: readonly Layer[]): boolean {
  const tools = layers.filter(({ kind }) => kind === 'tool');
  const byScope = grouped(tools, ({ dialect, span }) => `${dialect.name} ${span.scope.name}`);
  return [...byScope.values()].every(([first]) => {
    if (first === undefined) return false;
    const { dialect } = first;
    const { name: scope, version } = first.span.scope;
    const spans = layers.filter((layer) => layer.dialect === dialect && layer.span.scope.name === scope);
    const row = sightRowOf(dialect, { scope, version, spans: spans.map(({ span }) => span) });
    return row?.shows.toolCalls === 'shown' && row.shows.failedToolCalls === 'shown';
  });
}

/** Where each agent's last model or tool layer stands. */
function lastPlaces(layers: readonly Layer[]): ReadonlyMap<Layer | undefined, number> {
  const last = new Map<Layer | undefined, number>();
  for (const layer of layers) {
    if (layer.kind === 'model' || layer.kind === 'tool') last.set(layer.agentLayer, layer.position);
  }
  return last;
}

/** Some frameworks leave the same span for a call that ran and for one that waits: only what follows tells them apart. */
function silentWaitTest(layers: readonly Layer[]): (group: ToolGroup) => 'sleeps' | undefined {
  let last: ReadonlyMap<Layer | undefined, number> | undefined;
  return (group) => {
    if (!group.layers.every(({ dialect }) => dialect.silentWait === true)) return undefined;
    last ??= lastPlaces(layers);
    const end = last.get(group.agentLayer);
    return group.layers.every(({ position }) => position === end) ? 'sleeps' : undefined;
  };
}

function split<T>(list: readonly T[], first: (item: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const item of list) parts[first(item) ? 0 : 1].push(item);
  return parts;
}

function waits({ layers }: ToolGroup): boolean {
  return layers.every((layer) => {
    const mark = layer.value('toolMark');
    return mark === 'waiting' || mark === 'not-run';
  });
}

function ownToolTest(layers: readonly Layer[]): (name: string | undefined) => boolean {
  const tests = new Set<RegExp>();
  for (const { dialect } of layers) if (dialect.ownTools !== undefined) tests.add(dialect.ownTools);
  if (tests.size === 0) return () => false;
  return (name) => name !== undefined && [...tests].some((test) => test.test(name));
}

/** Answers are looked for only where spans leave the outcome open: histories are long. */
function needAnswers(
  asked: readonly AskedCall[],
  open: ReadonlySet<AskedCall>,
  matched: ReadonlyMap<ToolGroup, AskedCall>,
): readonly AskedCall[] {
  const unclear = new Set(open);
  for (const [group, call] of matched) if (!settled(group)) unclear.add(call);
  return unclear.size === 0 ? [] : asked.filter((call) => unclear.has(call));
}

/** A result was seen, or a mark of failure. */
function settled({ layers }: ToolGroup): boolean {
  return layers.some((layer) => {
    if (marksOf(layer.span, layer.dialect).failed.length > 0 || layer.value('toolMark') === 'failed') return true;
    return layer.holds('result');
  });
}

function groupOf(call: AskedCall): ToolGroup {
  return { layers: [], turn: call.by.position, agentLayer: call.by.agentLayer };
}

function inOrder(calls: readonly LayeredToolCall[]): readonly LayeredToolCall[] {
  return calls.toSorted((a, b) => a.place - b.place);
}
