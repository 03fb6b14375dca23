import type { Trace } from '../trace/trace.ts';
import { type Thread, threadsOf } from './asked-calls.ts';
import type { Layer } from './layer.ts';
import { layersOf } from './layers.ts';
import { type LayeredModelCall, modelCallsOf } from './model-calls.ts';
import { type Use, usesOf } from './run-visibility.ts';
import { type ToolFacts, toolFactsOf } from './tool-facts.ts';

/** What is read of the traces of a run: each part when it is first asked for, and once. */
export class RunReading {
  readonly layers: readonly Layer[];
  /** Later traces go on where earlier ones waited for a person. */
  readonly isResumed: boolean;
  #models: readonly LayeredModelCall[] | undefined;
  #threads: readonly Thread[] | undefined;
  #tools: ToolFacts | undefined;
  #uses: readonly Use[] | undefined;

  /** `layers` where they were read before; of several traces they are put into one order here. */
  constructor(traces: readonly Trace[], isResumed: boolean, layers?: readonly Layer[]) {
    this.layers = inCausalOrder(layers ?? traces.flatMap(layersOf), traces.length);
    this.isResumed = isResumed;
  }

  get models(): readonly LayeredModelCall[] {
    this.#models ??= modelCallsOf(this.layers);
    return this.#models;
  }
  get threads(): readonly Thread[] {
    this.#threads ??= threadsOf(this.models);
    return this.#threads;
  }
  get tools(): ToolFacts {
    this.#tools ??= toolFactsOf(this.layers, this.threads, this.isResumed);
    return this.#tools;
  }
  get uses(): readonly Use[] {
    this.#uses ??= usesOf(this.layers);
    return this.#uses;
  }
}

/** Layers of all traces by start; within a trace as they stand, parents first. */
function inCausalOrder(layers: readonly Layer[], traces: number): readonly Layer[] {
  const ordered = traces < 2 ? layers : [...layers].sort((a, b) => compare(a.span.startUnixNano, b.span.startUnixNano));
  for (let i = 0; i < ordered.length; i += 1) (ordered[i] as Layer).position = i;
  return ordered;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
