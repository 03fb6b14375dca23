import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { Layer } from './layer.ts';
import { layersOf } from './layers.ts';
import type { Boundary, Run } from './run.ts';
import { factsOf, nameOf, type RunFacts } from './run-facts.ts';
import { dialectUses, usesOf, visibilityOf } from './run-visibility.ts';
import { stepsOf } from './steps.ts';
import { handoffTarget } from './tool-names.ts';
import { usageTotal } from './usage-total.ts';
import { type Sight, worse } from './visibility.ts';

export interface RunSource {
  readonly traces: readonly Trace[];
  readonly runId: string | null;
  readonly boundary: Boundary;
}

/** One run out of the traces that belong to it. */
export function buildRun({ traces, runId, boundary }: RunSource): Run {
  const layers = inCausalOrder(traces);
  const facts = factsOf(layers);
  const uses = usesOf(layers);
  const visibility = visibilityOf(uses, facts);
  const usage = usageTotal(facts.models, layers, visibility.modelCalls === 'shown');
  const top =
    layers.find(({ kind, parent }) => kind === 'agent' && parent === undefined) ??
    layers.find(({ kind }) => kind === 'agent');
  return {
    runId: runId ?? top?.value('run') ?? null,
    conversationId: conversationOf(layers),
    agent: top?.value('agent') ?? null,
    traces,
    rootSpan: onlyRoot(traces),
    boundary,
    dialects: dialectUses(uses),
    visibility: { ...visibility, usage: sightOfCoverage(usage.coverage, visibility.usage) },
    steps: stepsOf(layers, facts),
    modelCalls: facts.models,
    toolCalls: facts.tools,
    requestedNotRun: notRunOf(facts),
    handoffs: handoffsOf(layers, facts),
    humanInputs: layers
      .filter(({ kind }) => kind === 'human-input')
      .map(({ span }) => ({ kind: 'approval' as const, spans: [span] })),
    retrievals: layers
      .filter(({ kind }) => kind === 'retrieval')
      .map((layer) => ({ documentIds: layer.value('documents'), spans: [layer.span] })),
    usage,
    remarks: remarksOf(facts),
  };
}

/** Layers of all traces by start; within a trace as they stand (parents first). */
function inCausalOrder(traces: readonly Trace[]): readonly Layer[] {
  const layers = traces.flatMap(layersOf);
  if (traces.length > 1) layers.sort((a, b) => compare(a.span.startUnixNano, b.span.startUnixNano));
  layers.forEach((layer, i) => {
    layer.position = i;
  });
  return layers;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function conversationOf(layers: readonly Layer[]): string | null {
  for (const layer of layers) {
    const id = layer.value('conversation');
    if (id !== undefined) return id;
  }
  return null;
}

function onlyRoot(traces: readonly Trace[]): Span | null {
  const roots = traces.flatMap(({ roots }) => roots);
  return roots.length === 1 ? (roots[0] ?? null) : null;
}

function notRunOf({ notRun, waiting }: RunFacts): Run['requestedNotRun'] {
  return [
    ...waiting.map((group) => ({
      name: nameOf(group) ?? null,
      callId: group.layers.map((layer) => layer.value('callId')).find((id) => id !== undefined) ?? null,
    })),
    ...notRun.map(({ name, id }) => ({ name, callId: id })),
  ];
}

function sightOfCoverage(coverage: Run['usage']['coverage'], declared: Sight): Sight {
  if (coverage === 'none') return worse(declared, 'partly');
  return coverage === 'all' ? 'shown' : 'partly';
}

function handoffsOf(layers: readonly Layer[], facts: RunFacts): Run['handoffs'] {
  const spans = layers.filter(({ kind }) => kind === 'handoff');
  const told = spans.map((layer) => ({
    from: layer.value('handoffFrom') ?? null,
    to: layer.value('handoffTo') ?? null,
    spans: [layer.span],
  }));
  if (told.length > 0) return told;
  const tools = facts.handoffGroups.map(({ layers: own, agentLayer }) => {
    const name = own.map((layer) => layer.value('toolName')).find((found) => found !== undefined) ?? '';
    return { from: agentLayer?.value('agent') ?? null, to: handoffTarget(name), spans: own.map(({ span }) => span) };
  });
  if (tools.length > 0) return tools;
  return facts.handoffs.map(({ name, by }) => ({ from: by.agent, to: handoffTarget(name), spans: [] }));
}

function remarksOf({ models }: RunFacts): readonly string[] {
  const twins = models.filter(
    ({ layers }) => layers.length > 1 && new Set(layers.map(({ parent }) => parent)).size < layers.length,
  );
  return twins.map(
    ({ spans }) =>
      `spans ${spans.map(({ spanId }) => spanId).join(' and ')} share a response id: probably one model call recorded twice`,
  );
}
