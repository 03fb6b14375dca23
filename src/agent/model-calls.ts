import type { Span } from '../trace/span.ts';
import type { FactValues } from './dialect.ts';
import { finishWord } from './finish.ts';
import { grouped } from './grouped.ts';
import { enclosing, type Layer } from './layer.ts';
import type { Cost, Message, ModelCall, Outcome, Usage } from './run.ts';
import { loggedException, marksOf } from './span-failure.ts';

/** Every form of a tool call has one of these in its text, also where JSON stands in JSON. */
const tellsOfTool = (text: string): boolean => /tool|function|[cC]all|\\u00/.test(text);

/** One logical model call and the layers that tell of it, outermost first. */
export class LayeredModelCall implements ModelCall {
  readonly layers: readonly Layer[];
  readonly calls: number | null;
  readonly agent: string | null;
  readonly agentLayer: Layer | undefined;
  readonly finish: string | null;
  readonly usage: Usage | null;
  readonly outcome: Outcome;
  /** Whether the answer is in the trace. */
  readonly hasAnswer: boolean;
  /** False where the answer is there and holds no word of a tool. */
  readonly mayAsk: boolean;
  #spans: readonly Span[] | undefined;

  constructor(layers: readonly Layer[], calls: number | null) {
    const [first] = layers;
    this.layers = layers;
    this.calls = calls;
    this.agentLayer = first === undefined ? undefined : first.agentLayer;
    this.agent = this.agentLayer?.agentName ?? this.#first('agent') ?? null;
    this.finish = finishWord(this.#first('finish'));
    this.usage = this.#first('usage') ?? null;
    this.outcome = this.#outcome();
    let [hasAnswer, mayAsk] = [false, true];
    for (const layer of layers) {
      if (!layer.holds('outputMessages')) continue;
      hasAnswer = true;
      mayAsk &&= layer.mayHold('outputMessages', tellsOfTool);
    }
    this.hasAnswer = hasAnswer;
    this.mayAsk = mayAsk;
  }

  #first<K extends keyof FactValues>(fact: K): FactValues[K] | undefined {
    for (const layer of this.layers) {
      const value = layer.value(fact);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #outcome(): Outcome {
    if (this.finish === 'error' || this.layers.some(failedLayer)) return 'failed';
    if (this.layers.every(({ span }) => span.endUnixNano === undefined)) return 'unknown';
    return this.finish !== null || (this.usage?.output ?? 0) > 0 ? 'succeeded' : 'ended';
  }

  get spans(): readonly Span[] {
    this.#spans ??= this.layers.map(({ span }) => span);
    return this.#spans;
  }
  get position(): number {
    return this.layers[0]?.position ?? 0;
  }
  get model(): string | null {
    return this.#first('model') ?? null;
  }
  get responseId(): string | null {
    return this.#first('responseId') ?? null;
  }
  /** Spans beside each other tell of it, as where two instrumentations are at work. */
  get isToldTwice(): boolean {
    return this.layers.length > 1 && new Set(this.layers.map(({ parent }) => parent)).size < this.layers.length;
  }
  get cost(): Cost | null {
    return this.#first('cost') ?? null;
  }
  /** The dialect leaves a part of the tokens out of its counts. */
  get usageIsShort(): boolean {
    return this.#first('usageIsShort') ?? false;
  }
  inputMessages(): readonly Message[] | undefined {
    return this.#first('inputMessages');
  }
  outputMessages(): readonly Message[] | undefined {
    return this.#first('outputMessages');
  }
}

const seenThrough = ['loop', 'phantom', 'other', 'guardrail'] as const;

function failedLayer(layer: Layer): boolean {
  if (marksOf(layer.span, layer.dialect).failed.length > 0) return true;
  return layer.value('failed') === true || loggedException(layer);
}

/**
 * Model layers as logical calls: a call told of by nested layers or by a second instrumentation appears once; a layer
 * around several calls is none of its own.
 */
export function modelCallsOf(layers: readonly Layer[]): readonly LayeredModelCall[] {
  const models = layers.filter(({ kind }) => kind === 'model');
  const calls = twinsMerged(chainsOf(models)).map((chain) => new LayeredModelCall(chain, 1));
  const alone = emptyLoops(layers).map((loop) => new LayeredModelCall([loop], null));
  return alone.length === 0 ? calls : [...calls, ...alone].sort((a, b) => a.position - b.position);
}

/** Each layer that no other lies in, with those around it that hold nothing else. */
function chainsOf(models: readonly Layer[]): readonly Layer[][] {
  const inside = grouped(models, (layer) => enclosing(layer, ['model'], seenThrough));
  if (inside.size === 0) return models.map((layer) => [layer]);
  return models.filter((layer) => !inside.has(layer)).map((leaf) => chainAbove(leaf, inside));
}

/** Loops around model calls none of which has a layer. */
function emptyLoops(layers: readonly Layer[]): readonly Layer[] {
  const loops = layers.filter((layer) => layer.kind === 'loop' && layer.find('model') !== undefined);
  if (loops.length === 0) return loops;
  const full = new Set<Layer>();
  for (const layer of layers) {
    if (layer.kind !== 'model' && layer.kind !== 'loop') continue;
    let loop = enclosing(layer, ['loop'], seenThrough);
    while (loop !== undefined && !full.has(loop)) {
      full.add(loop);
      loop = enclosing(loop, ['loop'], seenThrough);
    }
  }
  return loops.filter((loop) => !full.has(loop));
}

/** The leaf and the layers above it that hold nothing else. */
function chainAbove(leaf: Layer, inside: ReadonlyMap<Layer, readonly Layer[]>): Layer[] {
  const chain = [leaf];
  let here = enclosing(leaf, ['model'], seenThrough);
  while (here !== undefined && inside.get(here)?.length === 1) {
    chain.unshift(here);
    here = enclosing(here, ['model'], seenThrough);
  }
  return chain;
}

/** Two chains with one response id are one call, unless what they say of it differs. */
function twinsMerged(chains: readonly Layer[][]): readonly Layer[][] {
  const byId = new Map<string, Layer[]>();
  const merged: Layer[][] = [];
  for (const chain of chains) {
    const id = responseIdOf(chain);
    const twin = id === undefined ? undefined : byId.get(id);
    if (twin !== undefined && agree(twin, chain)) {
      twin.push(...chain);
      continue;
    }
    merged.push(chain);
    if (id !== undefined) byId.set(id, chain);
  }
  return merged;
}

function responseIdOf(chain: readonly Layer[]): string | undefined {
  for (const layer of chain) {
    const id = layer.value('responseId');
    if (id !== undefined) return id;
  }
  return undefined;
}

function agree(a: readonly Layer[], b: readonly Layer[]): boolean {
  const usages = [a, b].map((chain) => chain.map((layer) => layer.value('usage')).find((found) => found !== undefined));
  const [first, second] = usages;
  const sameUsage = first === undefined || second === undefined || first.output === second.output;
  return sameUsage && (together(a, b) || a[0]?.span.scope.name !== b[0]?.span.scope.name);
}

function together(a: readonly Layer[], b: readonly Layer[]): boolean {
  return a.some(({ span: one }) =>
    b.some(
      ({ span: two }) =>
        one.startUnixNano <= (two.endUnixNano ?? two.startUnixNano) &&
        two.startUnixNano <= (one.endUnixNano ?? one.startUnixNano),
    ),
  );
}
