import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { Dialect, FactValues, LayerKind } from './dialect.ts';
import type { Found, Reader } from './reading.ts';

/** One span as its dialect reads it. Facts are read when asked for, once. */
export class Layer {
  readonly span: Span;
  readonly trace: Trace;
  readonly dialect: Dialect;
  readonly kind: LayerKind;
  /** Nearest ancestor that a dialect knows. */
  parent: Layer | undefined;
  /** Place in the causal order of the run. */
  position = 0;
  readonly #found = new Map<keyof FactValues, Found<unknown> | undefined>();

  constructor(span: Span, trace: Trace, dialect: Dialect, kind: LayerKind) {
    this.span = span;
    this.trace = trace;
    this.dialect = dialect;
    this.kind = kind;
  }

  find<K extends keyof FactValues>(fact: K): Found<FactValues[K]> | undefined {
    if (this.#found.has(fact)) return this.#found.get(fact) as Found<FactValues[K]> | undefined;
    const read = this.dialect.facts[fact] as Reader<FactValues[K]> | undefined;
    const found = read?.(this.span, this.trace);
    // Histories repeat all that was said before: keeping them would cost the square of a run's length.
    if (fact !== 'inputMessages') this.#found.set(fact, found);
    return found;
  }

  value<K extends keyof FactValues>(fact: K): FactValues[K] | undefined {
    return this.find(fact)?.value;
  }

  /** Facts that were read so far, for `explain`. */
  get read(): ReadonlyMap<keyof FactValues, Found<unknown> | undefined> {
    return this.#found;
  }
}

/** The nearest ancestor of one of the kinds, looking through layers of no others. */
export function enclosing(layer: Layer, kinds: readonly LayerKind[], through: readonly LayerKind[]): Layer | undefined {
  let here = layer.parent;
  while (here !== undefined && !kinds.includes(here.kind)) {
    if (!through.includes(here.kind)) return undefined;
    here = here.parent;
  }
  return here;
}

/** The agent that a layer belongs to: the nearest agent layer above it. */
export function agentLayerOf(layer: Layer): Layer | undefined {
  let here = layer.parent;
  while (here !== undefined && here.kind !== 'agent') here = here.parent;
  return here;
}
