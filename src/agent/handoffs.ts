import type { Layer } from './layer.ts';
import type { Run } from './run.ts';
import type { ToolFacts } from './tool-facts.ts';
import { nameOf } from './tool-groups.ts';
import { handoffTarget } from './tool-names.ts';

/** Passing control on: as spans of its own tell it, else as tool spans do, else as the model asked for it. */
export function handoffsOf(layers: readonly Layer[], { handoffGroups, askedHandoffs }: ToolFacts): Run['handoffs'] {
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
      from: group.agentLayer?.value('agent') ?? null,
      to: handoffTarget(nameOf(group) ?? ''),
      spans: group.layers.map(({ span }) => span),
    }));
  }
  return askedHandoffs.map(({ name, by }) => ({ from: by.agent, to: handoffTarget(name), spans: [] }));
}
