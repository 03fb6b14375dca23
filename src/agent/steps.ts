import type { LayerKind } from './dialect.ts';
import type { Layer } from './layer.ts';
import type { LayeredModelCall } from './model-calls.ts';
import type { Outcome, Step } from './run.ts';
import { marksOf } from './span-failure.ts';
import type { LayeredToolCall } from './tool-calls.ts';

const kinds: Partial<Record<LayerKind, Step['kind']>> = {
  agent: 'agent',
  retrieval: 'retrieval',
  memory: 'memory',
  handoff: 'handoff',
  'human-input': 'human-input',
  guardrail: 'guardrail',
  other: 'other',
};

interface Placed {
  readonly place: number;
  readonly step: Step;
}

/** Everything a run did, in causal order: each model and tool call once. */
export function stepsOf(
  layers: readonly Layer[],
  models: readonly LayeredModelCall[],
  tools: readonly LayeredToolCall[],
): readonly Step[] {
  const placed: Placed[] = [];
  for (const layer of layers) {
    const kind = kinds[layer.kind];
    if (kind !== undefined) placed.push({ place: layer.position, step: layerStep(layer, kind) });
  }
  for (const modelCall of models) {
    const { model: name, spans, agent, outcome } = modelCall;
    const step: Step = { kind: 'model', name, spans, agent, outcome, ...times(modelCall.layers), modelCall };
    placed.push({ place: modelCall.position, step });
  }
  for (const toolCall of tools) {
    const { name, spans, agent, outcome, startUnixNano, endUnixNano } = toolCall;
    placed.push({
      place: toolCall.place,
      step: { kind: 'tool', name, spans, agent, outcome, startUnixNano, endUnixNano, toolCall },
    });
  }
  return placed.sort((a, b) => a.place - b.place).map(({ step }) => step);
}

function layerStep(layer: Layer, kind: Step['kind']): Step {
  const agent = layer.agentLayer?.agentName ?? layer.agentName ?? null;
  const name = kind === 'agent' ? (layer.agentName ?? null) : layer.span.name;
  return { kind, name, spans: [layer.span], agent, outcome: outcomeOfSpan(layer), ...times([layer]) };
}

function outcomeOfSpan(layer: Layer): Outcome {
  if (marksOf(layer.span, layer.dialect).failed.length > 0 || layer.value('failed') === true) return 'failed';
  return layer.span.endUnixNano === undefined ? 'unknown' : 'ended';
}

function times(layers: readonly Layer[]): Pick<Step, 'startUnixNano' | 'endUnixNano'> {
  return { startUnixNano: layers[0]?.span.startUnixNano, endUnixNano: layers[0]?.span.endUnixNano };
}
