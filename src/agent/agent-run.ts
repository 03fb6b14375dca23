import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import { handoffsOf } from './handoffs.ts';
import { humanInputsOf } from './human-inputs.ts';
import type { Layer } from './layer.ts';
import type { LayeredModelCall } from './model-calls.ts';
import type { Boundary, Run, Step } from './run.ts';
import { RunReading } from './run-reading.ts';
import { dialectUses, visibilityOf } from './run-visibility.ts';
import { stepsOf } from './steps.ts';
import type { ToolFacts } from './tool-facts.ts';
import { nameOf } from './tool-groups.ts';
import { costTotal, usageTotal } from './usage-total.ts';
import { type Sight, type Visibility, worse } from './visibility.ts';

/** A run over the layers of its traces. Nothing is worked out before it is asked for. */
export class AgentRun implements Run {
  readonly runId: string | null;
  readonly boundary: Boundary;
  readonly traces: readonly Trace[];
  readonly instrumented: readonly string[];
  readonly #reading: RunReading;
  #sight: Visibility | undefined;
  #visibility: Visibility | undefined;
  #usage: Run['usage'] | undefined;
  #steps: readonly Step[] | undefined;

  constructor(source: {
    readonly traces: readonly Trace[];
    readonly runId: string | null;
    readonly boundary: Boundary;
    /** Where the traces were read before. */
    readonly reading?: RunReading;
    readonly instrumented?: readonly string[];
  }) {
    this.boundary = source.boundary;
    this.instrumented = source.instrumented ?? [];
    this.traces = source.traces;
    this.#reading = source.reading ?? new RunReading(source.traces, false);
    this.runId = source.runId ?? this.#top()?.value('run') ?? null;
  }

  /** The same run, with the user's word that these scopes make a span for every model and tool call. */
  vouchedFor(instrumented: readonly string[]): AgentRun {
    const { traces, runId, boundary } = this;
    return new AgentRun({ traces, runId, boundary, reading: this.#reading, instrumented });
  }

  #top(): Layer | undefined {
    return (
      this.layers.find(({ kind, parent }) => kind === 'agent' && parent === undefined) ??
      this.layers.find(({ kind }) => kind === 'agent')
    );
  }
  get layers(): readonly Layer[] {
    return this.#reading.layers;
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
    return dialectUses(this.#reading.uses);
  }
  get visibility(): Visibility {
    this.#visibility ??= this.#seen();
    return this.#visibility;
  }
  #seen(): Visibility {
    const sight = this.#declared();
    return { ...sight, usage: sightOfCoverage(this.usage.coverage, sight.usage) };
  }
  /** Before usage was added up. */
  #declared(): Visibility {
    this.#sight ??= visibilityOf(this.#reading.uses, this.#reading, this.instrumented);
    return this.#sight;
  }
  get steps(): readonly Step[] {
    const { models, tools } = this.#reading;
    this.#steps ??= stepsOf(this.layers, models, tools.calls);
    return this.#steps;
  }
  get modelCalls(): readonly LayeredModelCall[] {
    return this.#reading.models;
  }
  get toolCalls(): ToolFacts['calls'] {
    return this.#reading.tools.calls;
  }
  /** Calls whose own spans say that they wait. */
  get waitingGroups(): ToolFacts['waiting'] {
    return this.#reading.tools.waiting;
  }
  get requestedNotRun(): Run['requestedNotRun'] {
    const { waiting, notRun } = this.#reading.tools;
    const told = waiting.map((group) => ({ name: nameOf(group) ?? null, callId: idOf(group.layers) }));
    return [...told, ...notRun.map(({ name, id }) => ({ name, callId: id }))];
  }
  get handoffs(): Run['handoffs'] {
    return handoffsOf(this.layers, this.#reading.tools);
  }
  get humanInputs(): Run['humanInputs'] {
    return humanInputsOf(this.layers, this.#reading.tools, this.#reading.threads);
  }
  get retrievals(): Run['retrievals'] {
    return this.layers
      .filter(({ kind }) => kind === 'retrieval')
      .map((layer) => ({ documentIds: layer.value('documents'), spans: [layer.span] }));
  }
  get usage(): Run['usage'] {
    this.#usage ??= usageTotal(this.#reading.models, this.layers, this.#declared().usage);
    return this.#usage;
  }
  get cost(): Run['cost'] {
    return costTotal(this.#reading.models, this.layers, this.#declared().modelCalls);
  }
  get remarks(): readonly string[] {
    return this.#reading.models
      .filter(({ isToldTwice }) => isToldTwice)
      .map(
        ({ spans }) =>
          `spans ${spans.map(({ spanId }) => spanId).join(' and ')} share a response id: probably one model call recorded twice`,
      );
  }
}

function idOf(layers: readonly Layer[]): string | null {
  return layers.map((layer) => layer.value('callId')).find((id) => id !== undefined) ?? null;
}

function sightOfCoverage(coverage: Run['usage']['coverage'], declared: Sight): Sight {
  if (coverage === 'none') return worse(declared, 'partly');
  return coverage === 'all' ? 'shown' : 'partly';
}
