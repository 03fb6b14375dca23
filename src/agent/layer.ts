import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import { beginsStructure, isBrokenOff, isCutHere, isReadFromCut } from './cut-content.ts';
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
  #agentLayer: Layer | null | undefined;
  #agentName: string | null | undefined;
  /** Place in the causal order of the run. */
  position = 0;
  /** The fact that was read first, and the others: of most layers one alone is worth remembering. */
  #firstFact: keyof FactValues | undefined;
  #firstFound: Found<unknown> | undefined;
  #found: Map<keyof FactValues, Found<unknown> | undefined> | undefined;

  constructor(span: Span, trace: Trace, dialect: Dialect, kind: LayerKind) {
    this.span = span;
    this.trace = trace;
    this.dialect = dialect;
    this.kind = kind;
  }

  find<K extends keyof FactValues>(fact: K): Found<FactValues[K]> | undefined {
    if (this.#firstFact === fact) return this.#firstFound as Found<FactValues[K]> | undefined;
    if (this.#found?.has(fact) === true) return this.#found.get(fact) as Found<FactValues[K]> | undefined;
    const read = this.dialect.facts[fact] as Reader<FactValues[K]> | undefined;
    if (read === undefined) return undefined;
    const found = this.#unlessCut(fact, read(this.span, this.trace));
    // Histories repeat all that was said before: keeping them would cost the square of a run's length.
    if (fact !== 'inputMessages' && read.cheap !== true) this.#remember(fact, found);
    return found;
  }

  /** Messages in plain text are told as far as they go. */
  #unlessCut<T>(fact: keyof FactValues, found: Found<T> | undefined): Found<T> | undefined {
    if (found === undefined) return undefined;
    const isSpoken = fact === 'inputMessages' || fact === 'outputMessages';
    const isLost = isSpoken ? isBrokenOff(this.span, found.from) : isReadFromCut(this.span, found.from);
    return isLost ? undefined : found;
  }

  #remember(fact: keyof FactValues, found: Found<unknown> | undefined): void {
    if (this.#firstFact === undefined) {
      this.#firstFact = fact;
      this.#firstFound = found;
      return;
    }
    this.#found ??= new Map();
    this.#found.set(fact, found);
  }

  value<K extends keyof FactValues>(fact: K): FactValues[K] | undefined {
    return this.find(fact)?.value;
  }

  /** The agent that it belongs to: the nearest agent layer above. */
  get agentLayer(): Layer | undefined {
    if (this.#agentLayer === undefined) this.#walkUp();
    return this.#agentLayer ?? undefined;
  }

  #walkUp(): void {
    if (this.parent === undefined || this.parent.kind === 'agent') {
      this.#agentLayer = this.parent ?? null;
      return;
    }
    const walked: Layer[] = [];
    let here: Layer | undefined = this;
    let found: Layer | null = null;
    while (here !== undefined) {
      if (here.#agentLayer !== undefined) {
        found = here.#agentLayer;
        break;
      }
      here.#agentLayer = null; // also ends a walk around a cycle
      walked.push(here);
      if (here.parent?.kind === 'agent') {
        found = here.parent;
        break;
      }
      here = here.parent;
    }
    for (const layer of walked) layer.#agentLayer = found;
  }

  /** What it says of its agent, read once: many layers ask the one above them. */
  get agentName(): string | undefined {
    if (this.#agentName === undefined) this.#agentName = this.value('agent') ?? null;
    return this.#agentName ?? undefined;
  }

  /** Whether the fact is told, without reading more of it than needed. A text that was cut is told, if not read. */
  holds(fact: keyof FactValues): boolean {
    const raw = this.dialect.facts[fact]?.raw?.(this.span);
    const isLost = raw !== undefined && isCutHere(this.span, raw) && (fact === 'arguments' || beginsStructure(raw));
    return (raw !== undefined && !isLost) || this.find(fact) !== undefined;
  }

  /** False where the text that the fact would be read from cannot hold what is looked for. */
  mayHold(fact: keyof FactValues, test: (text: string) => boolean): boolean {
    const raw = this.dialect.facts[fact]?.raw;
    const value = raw?.(this.span);
    return typeof value !== 'string' || test(value);
  }

  /** Everything that this span tells, and from which keys. */
  get read(): ReadonlyMap<keyof FactValues, Found<unknown> | undefined> {
    const facts = Object.keys(this.dialect.facts) as (keyof FactValues)[];
    return new Map(facts.map((fact) => [fact, this.find(fact)]));
  }
}

/** Nothing real nests deeper; a bound keeps hostile chains from costing their square. */
const highest = 1_000;

/** The nearest ancestor of one of the kinds, looking through layers of no others. */
export function enclosing(layer: Layer, kinds: readonly LayerKind[], through: readonly LayerKind[]): Layer | undefined {
  let here = layer.parent;
  for (let level = 0; here !== undefined && level < highest; level += 1) {
    if (kinds.includes(here.kind)) return here;
    if (!through.includes(here.kind)) return undefined;
    here = here.parent;
  }
  return undefined;
}
