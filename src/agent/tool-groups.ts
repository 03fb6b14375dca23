import { canonicalJson } from '../trace/canonical-json.ts';
import { enclosing, type Layer } from './layer.ts';
import { marksOf } from './span-failure.ts';
import { ToolTurn } from './tool-turn.ts';

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
  const groups = new Groups();
  const beforeModels = new ToolTurn<GroupOfTurn>(-1);
  const turns = new Map<string, ToolTurn<GroupOfTurn>>();
  for (const layer of layers) {
    if (layer.kind !== 'model' && layer.kind !== 'tool') continue;
    const agent = layer.agentLayer?.agentName ?? layer.agentName ?? '';
    if (layer.kind === 'model') turns.set(agent, new ToolTurn(layer.position));
    else groups.add(layer, turns.get(agent) ?? beforeModels, isResumed);
  }
  return groups.list;
}

interface GroupOfTurn extends ToolGroup {
  readonly told: ToolTurn<GroupOfTurn>;
}

class Groups {
  readonly list: GroupOfTurn[] = [];
  /** Made when the first tool layer lies inside another. */
  #groupOf: Map<Layer, GroupOfTurn> | undefined;

  add(layer: Layer, told: ToolTurn<GroupOfTurn>, isResumed: boolean): void {
    const known =
      this.#around(layer) ??
      toldBefore(layer, told.before(layer), isResumed) ??
      waitedBefore(layer, told.asleep(layer));
    if (known !== undefined) known.layers.push(layer);
    const group = known ?? { layers: [layer], turn: told.place, agentLayer: layer.agentLayer, told };
    if (known === undefined) this.list.push(group);
    this.#groupOf?.set(layer, group);
    group.told.add(layer, group);
    if (layer.find('callId') === undefined && saysItWaits(layer)) group.told.addAsleep(layer, group);
  }

  #around(layer: Layer): GroupOfTurn | undefined {
    const outer = enclosing(layer, ['tool'], looseKinds);
    if (outer === undefined || !sameCall(outer, layer)) return undefined;
    this.#groupOf ??= new Map(this.list.flatMap((group) => group.layers.map((one) => [one, group])));
    return this.#groupOf.get(outer);
  }
}

/** The first name that a layer tells. */
export function nameOf({ layers }: ToolGroup): string | undefined {
  for (const layer of layers) {
    const name = layer.value('toolName');
    if (name !== undefined) return name;
  }
  return undefined;
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
function toldBefore<Group extends ToolGroup>(
  layer: Layer,
  before: Group | undefined,
  isResumed: boolean,
): Group | undefined {
  if (before === undefined) return undefined;
  if (before.layers.every(saysItWaits)) return before;
  if (isResumed && before.layers.every((one) => one.trace !== layer.trace && unfinished(one))) return before;
  if (layer.find('callId') === undefined) return undefined;
  const elsewhere = before.layers.every(({ span }) => span.scope.name !== layer.span.scope.name);
  return elsewhere || before.layers.every(unfinished) || unfinished(layer) ? before : undefined;
}

/** A call that waited under no id and has one now. */
function waitedBefore<Group extends ToolGroup>(layer: Layer, before: Group | undefined): Group | undefined {
  return before?.layers.every(saysItWaits) && layer.find('callId') !== undefined ? before : undefined;
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
