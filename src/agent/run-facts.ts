import { type AskedCall, askedIn, findAnswers, type Thread, threadsOf } from './asked-calls.ts';
import type { Layer } from './layer.ts';
import { matchAsked } from './match-asked.ts';
import { type LayeredModelCall, modelCallsOf } from './model-calls.ts';
import { numberOperations, numberParallelGroups } from './operations.ts';
import { LayeredToolCall } from './tool-calls.ts';
import { type ToolGroup, toolGroupsOf } from './tool-groups.ts';
import { isHandoffName } from './tool-names.ts';

/** What was read of a run's tools and models, before it is told. */
export interface RunFacts {
  readonly models: readonly LayeredModelCall[];
  readonly threads: readonly Thread[];
  readonly tools: readonly LayeredToolCall[];
  readonly asked: readonly AskedCall[];
  /** Requests of which no span and no message tells what became. */
  readonly notRun: readonly AskedCall[];
  /** Calls whose own span says that they were not carried out. */
  readonly waiting: readonly ToolGroup[];
  /** Requests that pass control on. */
  readonly handoffs: readonly AskedCall[];
  readonly handoffGroups: readonly ToolGroup[];
}

export function factsOf(layers: readonly Layer[]): RunFacts {
  const models = modelCallsOf(layers);
  const threads = threadsOf(models);
  const asked = threads.map(askedIn);
  const all = asked.flat();
  const own = ownToolTest(layers);
  const groups = toolGroupsOf(layers).filter((group) => !own(nameOf(group)));
  const matched = matchAsked(groups, all);
  const taken = new Set(matched.values());
  const open = all.filter((call) => !taken.has(call) && !own(call.name));
  threads.forEach((thread, i) => {
    findAnswers(needAnswers(asked[i] ?? [], open, matched), thread);
  });
  const real = open.filter(({ name }) => !isHandoffName(name));
  const untold = real.filter((call) => call.answer !== undefined || !showsTools(groups, layers));
  const calls = groups.filter((group) => !isHandoffName(nameOf(group)));
  const tools = inOrder([
    ...calls.filter((group) => !waits(group)).map((group) => new LayeredToolCall(group, matched.get(group))),
    ...untold.map((call) => new LayeredToolCall(groupOf(call), call)),
  ]);
  numberOperations(tools);
  numberParallelGroups(tools);
  return {
    models,
    threads,
    tools,
    asked: all,
    waiting: calls.filter(waits),
    notRun: real.filter((call) => !untold.includes(call)),
    handoffs: open.filter(({ name }) => isHandoffName(name)),
    handoffGroups: groups.filter((group) => isHandoffName(nameOf(group))),
  };
}

function waits({ layers }: ToolGroup): boolean {
  return layers.every((layer) => ['waiting', 'not-run'].includes(layer.value('toolMark') ?? ''));
}

export function nameOf(group: ToolGroup): string | undefined {
  return group.layers.map((layer) => layer.value('toolName')).find((name) => name !== undefined);
}

function ownToolTest(layers: readonly Layer[]): (name: string | undefined) => boolean {
  const tests = [...new Set(layers.map(({ dialect }) => dialect.ownTools))].filter((test) => test !== undefined);
  return (name) => name !== undefined && tests.some((test) => test.test(name));
}

/** Answers are looked for only where spans leave the outcome open: histories are long. */
function needAnswers(
  asked: readonly AskedCall[],
  open: readonly AskedCall[],
  matched: ReadonlyMap<ToolGroup, AskedCall>,
): readonly AskedCall[] {
  const unclear = new Set(open);
  for (const [group, call] of matched) {
    if (group.layers.every((layer) => layer.value('result') === undefined)) unclear.add(call);
  }
  return asked.filter((call) => unclear.has(call));
}

/** Whether calls that ran would have a span: some did. */
function showsTools(groups: readonly ToolGroup[], layers: readonly Layer[]): boolean {
  return groups.length > 0 && layers.some(({ kind }) => kind === 'agent');
}

function groupOf(call: AskedCall): ToolGroup {
  return { layers: [], turn: call.by.position, agentLayer: call.by.agentLayer };
}

function inOrder(calls: readonly LayeredToolCall[]): readonly LayeredToolCall[] {
  const place = (call: LayeredToolCall) =>
    call.layers[0]?.position ?? (call.asked?.by.layers.at(-1)?.position ?? 0) + 0.5;
  return [...calls].sort((a, b) => place(a) - place(b));
}
