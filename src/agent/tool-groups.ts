import { canonicalJson } from '../trace/canonical-json.ts';
import { enclosing, type Layer } from './layer.ts';
import { marksOf } from './span-failure.ts';

/** Layers of one logical tool call, outermost first. */
export interface ToolGroup {
  readonly layers: Layer[];
  /** Position of the agent's model call before it: calls of one turn share it; -1 where there is none. */
  readonly turn: number;
  readonly agentLayer: Layer | undefined;
}

const looseKinds = ['other', 'phantom', 'loop', 'guardrail', 'human-input'] as const;

/** Tool layers as logical calls: nested layers, second tellings and the waiting span of an approval are one call. */
export function toolGroupsOf(layers: readonly Layer[], isResumed: boolean): readonly ToolGroup[] {
  const groups: ToolGroup[] = [];
  const groupOf = new Map<Layer, ToolGroup>();
  const byCall = new Map<string, ToolGroup>();
  const asleep = new Map<string, ToolGroup>();
  const lastModel = new Map<string, number>();
  for (const layer of layers) {
    if (layer.kind !== 'model' && layer.kind !== 'tool') continue;
    const agentLayer = layer.agentLayer;
    const agent = agentLayer?.agentName ?? layer.agentName ?? '';
    if (layer.kind === 'model') {
      lastModel.set(agent, layer.position);
      continue;
    }
    const turn = lastModel.get(agent) ?? -1;
    const key = callKey(layer);
    const group = nestedIn(layer, groupOf) ??
      toldBefore(layer, turn, byCall.get(key), isResumed) ??
      waitedBefore(layer, turn, asleep) ?? { layers: [], turn, agentLayer };
    if (group.layers.length === 0) groups.push(group);
    group.layers.push(layer);
    groupOf.set(layer, group);
    byCall.set(key, group);
    if (layer.find('callId') === undefined && saysItWaits(layer)) asleep.set(key, group);
  }
  return groups;
}

/** The first name that a layer tells. */
export function nameOf({ layers }: ToolGroup): string | undefined {
  for (const layer of layers) {
    const name = layer.value('toolName');
    if (name !== undefined) return name;
  }
  return undefined;
}

/** By id; without one, by the arguments where they are visible. */
function callKey(layer: Layer): string {
  const id = layer.value('callId');
  return id === undefined ? argumentsKey(layer) : `${layer.value('toolName') ?? ''} ${id}`;
}

function argumentsKey(layer: Layer): string {
  const name = layer.value('toolName') ?? '';
  const given = layer.value('arguments');
  return `${name} ${given === undefined ? '' : canonicalJson(given)}`;
}

function nestedIn(layer: Layer, groupOf: ReadonlyMap<Layer, ToolGroup>): ToolGroup | undefined {
  const outer = enclosing(layer, ['tool'], looseKinds);
  return outer !== undefined && sameCall(outer, layer) ? groupOf.get(outer) : undefined;
}

/** Whether a tool layer inside another tells of the same call. */
function sameCall(outer: Layer, inner: Layer): boolean {
  const [outerId, innerId] = [outer.value('callId'), inner.value('callId')];
  if (outerId !== undefined && innerId !== undefined) return outerId === innerId;
  const [outerName, innerName] = [outer.value('toolName'), inner.value('toolName')];
  if (outerName !== undefined && innerName !== undefined && outerName !== innerName) return false;
  const [a, b] = [outer.value('arguments'), inner.value('arguments')];
  return a === undefined || b === undefined || canonicalJson(a) === canonicalJson(b);
}

/**
 * A call with the same id and name that was told before in the same turn of the model, and that is not whole yet or is
 * told by another instrumentation. Ids that a model gives anew in every turn are other calls. Without ids, equal calls
 * of a turn are two, unless the first one says that it waits.
 */
function toldBefore(
  layer: Layer,
  turn: number,
  before: ToolGroup | undefined,
  isResumed: boolean,
): ToolGroup | undefined {
  if (before === undefined || before.turn !== turn) return undefined;
  if (before.layers.every(saysItWaits)) return before;
  if (isResumed && before.layers.every((one) => one.trace !== layer.trace && unfinished(one))) return before;
  if (layer.find('callId') === undefined) return undefined;
  const elsewhere = before.layers.every(({ span }) => span.scope.name !== layer.span.scope.name);
  return elsewhere || before.layers.every(unfinished) || unfinished(layer) ? before : undefined;
}

/** A call that waited under no id and has one now. */
function waitedBefore(layer: Layer, turn: number, asleep: ReadonlyMap<string, ToolGroup>): ToolGroup | undefined {
  if (asleep.size === 0 || layer.find('callId') === undefined) return undefined;
  const before = asleep.get(argumentsKey(layer));
  return before?.turn === turn && before.layers.every(saysItWaits) ? before : undefined;
}

/** The call was not carried out in this span: it says so itself, or an exception that steers left it. */
export function saysItWaits(layer: Layer): boolean {
  const mark = layer.value('toolMark');
  if (mark !== undefined) return mark === 'waiting' || mark === 'not-run' || mark === 'steered';
  return marksOf(layer.span, layer.dialect).steered;
}

/** Neither a result nor a failure. */
function unfinished(layer: Layer): boolean {
  if (saysItWaits(layer)) return true;
  return marksOf(layer.span, layer.dialect).failed.length === 0 && !layer.holds('result');
}
