import type { AskedCall } from './asked-calls.ts';
import { grouped } from './grouped.ts';
import type { Layer } from './layer.ts';
import type { ToolGroup } from './tool-groups.ts';

/**
 * Calls of agents that have no tool span: a model asked for a tool of an agent's name, and that agent ran. Some
 * frameworks write the agent's span in place of the tool's.
 */
export function agentCallsOf(
  layers: readonly Layer[],
  open: ReadonlySet<AskedCall>,
): ReadonlyMap<AskedCall, ToolGroup> {
  const found = new Map<AskedCall, ToolGroup>();
  if (open.size === 0) return found;
  const inner = layers.filter((layer) => layer.kind === 'agent' && layer.agentLayer !== undefined);
  const byName = grouped(inner, (layer) => layer.value('agent'));
  for (const call of open) {
    const due = byName.get(call.name) ?? [];
    const place = due.findIndex(
      (layer) => layer.position > call.by.position && layer.agentLayer === call.by.agentLayer,
    );
    const [layer] = place < 0 ? [] : due.splice(place, 1);
    if (layer !== undefined)
      found.set(call, { layers: [layer], turn: call.by.position, agentLayer: call.by.agentLayer });
  }
  return found;
}
