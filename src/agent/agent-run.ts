import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import { type Thread, threadsOf } from './asked-calls.ts';
import { handoffsOf } from './handoffs.ts';
import type { Layer } from './layer.ts';
import { layersOf } from './layers.ts';
import { type LayeredModelCall, modelCallsOf } from './model-calls.ts';
import { once } from './once.ts';
import type { Boundary, Run, Step } from './run.ts';
import { dialectUses, usesOf, visibilityOf } from './run-visibility.ts';
import { stepsOf } from './steps.ts';
import { type ToolFacts, toolFactsOf } from './tool-facts.ts';
import { nameOf } from './tool-groups.ts';
import { usageTotal } from './usage-total.ts';
import { type Sight, type Visibility, worse } from './visibility.ts';

/** A run over the layers of its traces. Nothing is worked out before it is asked for. */
export class AgentRun implements Run {
  readonly runId: string | null;
  readonly boundary: Boundary;
  readonly traces: readonly Trace[];
  readonly layers: readonly Layer[];
  readonly instrumented: readonly string[];
  readonly isResumed: boolean;
  readonly #models: () => readonly LayeredModelCall[];
  readonly #threads: () => readonly Thread[];
  readonly #tools: () => ToolFacts;
  readonly #uses: () => ReturnType<typeof usesOf>;
  readonly #sight: () => Visibility;
  readonly #usage: () => Run['usage'];
  readonly #steps: () => readonly Step[];

  /** `layers` where they were read before; of several traces they are put into one order here. */
  constructor(source: {
    readonly traces: readonly Trace[];
    readonly runId: string | null;
    readonly boundary: Boundary;
    readonly layers?: readonly Layer[];
    /** Later traces go on where earlier ones waited for a person. */
    readonly isResumed?: boolean;
    readonly instrumented?: readonly string[];
  }) {
    this.boundary = source.boundary;
    this.instrumented = source.instrumented ?? [];
    this.isResumed = source.isResumed === true;
    this.traces = source.traces;
    this.layers = inCausalOrder(source.layers ?? source.traces.flatMap(layersOf), source.traces.length);
    this.runId = source.runId ?? this.#top()?.value('run') ?? null;
    this.#models = once(() => modelCallsOf(this.layers));
    this.#threads = once(() => threadsOf(this.#models()));
    this.#tools = once(() => toolFactsOf(this.layers, this.#threads(), source.isResumed === true));
    this.#uses = once(() => usesOf(this.layers));
    this.#sight = once(() =>
      visibilityOf(
        this.#uses(),
        { models: this.#models(), threads: this.#threads(), tools: this.#tools() },
        this.instrumented,
      ),
    );
    this.#usage = once(() => usageTotal(this.#models(), this.layers, this.#sight().usage));
    this.#steps = once(() => stepsOf(this.layers, this.#models(), this.#tools().calls));
  }

  /** The same run, with the user's word that these scopes make a span for every model and tool call. */
  vouchedFor(instrumented: readonly string[]): AgentRun {
    return new AgentRun({ ...this.#source(), instrumented });
  }

  #source(): ConstructorParameters<typeof AgentRun>[0] {
    const { traces, runId, boundary, layers, isResumed } = this;
    return { traces, runId, boundary, layers, isResumed };
  }

  #top(): Layer | undefined {
    return (
      this.layers.find(({ kind, parent }) => kind === 'agent' && parent === undefined) ??
      this.layers.find(({ kind }) => kind === 'agent')
    );
  }
  get conversationId(): string | null {
    for (const layer of this.layers) {
      const id = layer.value('conversation');
      if (id !== undefined) return id;
    }
    return null;
  }
  get agent(): string | null {
    return this.#top()?.value('agent') ?? null;
  }
  get rootSpan(): Span | null {
    const roots = this.traces.flatMap(({ roots: own }) => own);
    return roots.length === 1 ? (roots[0] ?? null) : null;
  }
  get dialects(): Run['dialects'] {
    return dialectUses(this.#uses());
  }
  get visibility(): Visibility {
    const { coverage } = this.#usage();
    return { ...this.#sight(), usage: sightOfCoverage(coverage, this.#sight().usage) };
  }
  get steps(): readonly Step[] {
    return this.#steps();
  }
  get modelCalls(): readonly LayeredModelCall[] {
    return this.#models();
  }
  get toolCalls(): ToolFacts['calls'] {
    return this.#tools().calls;
  }
  /** Calls whose own spans say that they wait. */
  get waitingGroups(): ToolFacts['waiting'] {
    return this.#tools().waiting;
  }
  get requestedNotRun(): Run['requestedNotRun'] {
    const { waiting, notRun } = this.#tools();
    const told = waiting.map((group) => ({ name: nameOf(group) ?? null, callId: idOf(group.layers) }));
    return [...told, ...notRun.map(({ name, id }) => ({ name, callId: id }))];
  }
  get handoffs(): Run['handoffs'] {
    return handoffsOf(this.layers, this.#tools());
  }
  get humanInputs(): Run['humanInputs'] {
    return this.layers
      .filter(({ kind }) => kind === 'human-input')
      .map(({ span }) => ({ kind: 'approval', spans: [span] }));
  }
  get retrievals(): Run['retrievals'] {
    return this.layers
      .filter(({ kind }) => kind === 'retrieval')
      .map((layer) => ({ documentIds: layer.value('documents'), spans: [layer.span] }));
  }
  get usage(): Run['usage'] {
    return this.#usage();
  }
  get remarks(): readonly string[] {
    return this.#models()
      .filter(({ isToldTwice }) => isToldTwice)
      .map(
        ({ spans }) =>
          `spans ${spans.map(({ spanId }) => spanId).join(' and ')} share a response id: probably one model call recorded twice`,
      );
  }
}

/** Layers of all traces by start; within a trace as they stand, parents first. */
function inCausalOrder(layers: readonly Layer[], traces: number): readonly Layer[] {
  const ordered = traces < 2 ? layers : [...layers].sort((a, b) => compare(a.span.startUnixNano, b.span.startUnixNano));
  ordered.forEach((layer, i) => {
    layer.position = i;
  });
  return ordered;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function idOf(layers: readonly Layer[]): string | null {
  return layers.map((layer) => layer.value('callId')).find((id) => id !== undefined) ?? null;
}

function sightOfCoverage(coverage: Run['usage']['coverage'], declared: Sight): Sight {
  if (coverage === 'none') return worse(declared, 'partly');
  return coverage === 'all' ? 'shown' : 'partly';
}
