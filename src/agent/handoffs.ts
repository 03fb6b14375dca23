import type { AskedCall } from './asked-calls.ts';
import type { Layer } from './layer.ts';
import type { Run } from './run.ts';
import { nameOf, type ToolGroup } from './tool-groups.ts';
import { handoffTarget, isHandoffName } from './tool-names.ts';

/** What is told of passing control on: tool spans, and what models asked for. */
interface HandoffFacts {
  readonly handoffGroups: readonly ToolGroup[];
  readonly askedHandoffs: readonly AskedCall[];
}

function receiverOf({ layers }: ToolGroup): string | undefined {
  for (const layer of layers) {
    const to = layer.value('handoffTo');
    if (to !== undefined) return to;
  }
  return undefined;
}

/** A tool span that passes control on: by the convention's attribute, or by its name. */
export function passesOn(group: ToolGroup): boolean {
  return isHandoffName(nameOf(group)) || receiverOf(group) !== undefined;
}

/** Passing control on: as spans of its own tell it, else as tool spans do, else as the model asked for it. */
export function handoffsOf(layers: readonly Layer[], { handoffGroups, askedHandoffs }: HandoffFacts): Run['handoffs'] {
  const spans = layers.filter(({ kind }) => kind === 'handoff');
  if (spans.length > 0) {
    return spans.map((layer) => ({
      from: layer.value('handoffFrom') ?? null,
      to: layer.value('handoffTo') ?? null,
      spans: [layer.span],
    }));
  }
  if (handoffGroups.length > 0) {
    return handoffGroups.map((group) => ({
      from: group.layers[0]?.value('handoffFrom') ?? group.agentLayer?.value('agent') ?? null,
      to: receiverOf(group) ?? handoffTarget(nameOf(group) ?? ''),
      spans: group.layers.map(({ span }) => span),
    }));
  }
  return askedHandoffs.map(({ name, by }) => ({ from: by.agent, to: handoffTarget(name), spans: [] }));
}
