import { canonicalJson } from '../trace/canonical-json.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { Span } from '../trace/span.ts';
import type { AskedCall } from './asked-calls.ts';
import { isObject } from './content.ts';
import type { FactValues } from './dialect.ts';
import type { Layer } from './layer.ts';
import type { Numbering } from './operations.ts';
import { type Judged, outcomeOf } from './outcome.ts';
import type { Found } from './reading.ts';
import type { Evidence, Json, Outcome, ToolCall } from './run.ts';
import type { ToolGroup } from './tool-groups.ts';
import { unwrapped } from './unwrapped-result.ts';

/**
 * Why a call that came to an end may not have run: it `sleeps` until a person has spoken, or it was `idle`, as where each
 * call has a span and this one has none: a framework answers in the tool's place what it refused or could not run.
 */
export type Doubt = 'sleeps' | 'idle';

const untold: Judged = { outcome: 'unknown', evidence: [] };

/** One logical tool call: its layers, and what the models' messages say of it. */
export class LayeredToolCall implements ToolCall {
  readonly layers: readonly Layer[];
  readonly name: string | null;
  readonly callId: string | null;
  readonly asked: AskedCall | undefined;
  readonly agentLayer: Layer | undefined;
  readonly turn: number;
  /** Place in the causal order of the run. */
  readonly place: number;
  readonly #numbering: Numbering<LayeredToolCall>;
  readonly #doubt: Doubt | undefined;
  #spans: readonly Span[] | undefined;
  #judged: Judged | undefined;
  #arguments: { readonly value: Json | undefined } | undefined;

  constructor(group: ToolGroup, asked: AskedCall | undefined, numbering: Numbering<LayeredToolCall>, doubt?: Doubt) {
    this.layers = group.layers;
    this.asked = asked;
    this.agentLayer = group.agentLayer;
    this.turn = group.turn;
    this.place = group.layers[0]?.position ?? (asked?.by.layers.at(-1)?.position ?? 0) + 0.5;
    this.#numbering = numbering;
    this.#doubt = doubt;
    this.name = this.#first('toolName')?.value ?? asked?.name ?? this.#first('toolLabel')?.value ?? null;
    this.callId = this.#first('callId')?.value ?? asked?.id ?? null;
  }

  #first<K extends keyof FactValues>(fact: K): Found<FactValues[K]> | undefined {
    for (const layer of this.layers) {
      // An agent that stands for a call has a name and a result; what it was asked stands in the request.
      if (layer.kind !== 'tool' && fact !== 'result') continue;
      const found = layer.find(fact);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  get spans(): readonly Span[] {
    this.#spans ??= this.layers.map(({ span }) => span);
    return this.#spans;
  }
  get agent(): string | null {
    const own = this.#first('agent')?.value;
    return this.agentLayer?.agentName ?? own ?? this.asked?.by.agent ?? null;
  }
  get operation(): number | null {
    return this.#numbering.of(this).operation;
  }
  get attempt(): number | null {
    return this.#numbering.of(this).attempt;
  }
  get parallelGroup(): number | null {
    return this.#numbering.of(this).parallelGroup;
  }
  get outcome(): Outcome {
    return this.#judge().outcome;
  }
  /** It may wait for a person, and then the run may have gone on where nobody looked. */
  get maySleep(): boolean {
    return this.#doubt === 'sleeps' && this.outcome === 'unknown';
  }
  get evidence(): readonly Evidence[] {
    return this.#judge().evidence;
  }
  #judge(): Judged {
    if (this.#judged === undefined) {
      const judged = outcomeOf(this.layers, this.asked?.answer);
      this.#judged = this.#doubt !== undefined && judged.outcome === 'ended' ? untold : judged;
    }
    return this.#judged;
  }
  get readFrom(): readonly string[] {
    const facts = ['toolName', 'toolLabel', 'callId', 'arguments', 'result'] as const;
    const keys = facts.map((fact) => this.#first(fact)?.from).filter((from) => from !== undefined);
    const messages = [this.asked?.toldBy, this.asked?.answer?.toldBy].filter((id) => id !== undefined);
    return [...new Set([...keys, ...messages.map((id) => `message of ${id}`)])];
  }
  get effect(): 'read' | 'write' | null {
    const stamped = this.#stamp(ownAttributes.toolEffect);
    return stamped === 'read' || stamped === 'write' ? stamped : null;
  }
  get startUnixNano(): bigint | undefined {
    return this.layers[0]?.span.startUnixNano;
  }
  get endUnixNano(): bigint | undefined {
    return this.layers
      .map(({ span }) => span.endUnixNano)
      .reduce((a, b) => (a !== undefined && b !== undefined && a < b ? b : a), this.layers[0]?.span.endUnixNano);
  }
  arguments(): Json | undefined {
    this.#arguments ??= { value: this.#given() };
    return this.#arguments.value;
  }
  #given(): Json | undefined {
    const told = this.#first('arguments')?.value;
    const wanted = this.asked?.arguments;
    if (told === undefined) return wanted;
    return wanted !== undefined && (!isObject(told) || adds(told, wanted)) ? wanted : told;
  }
  /** Whether they are in the trace, without reading them. */
  get hasArguments(): boolean {
    return (
      this.asked?.arguments !== undefined ||
      this.layers.some((layer) => layer.kind === 'tool' && layer.holds('arguments'))
    );
  }
  get hasResult(): boolean {
    return this.asked?.answer?.result !== undefined || this.layers.some((layer) => layer.holds('result'));
  }
  result(): Json | undefined {
    return unwrapped(this.#first('result')?.value ?? this.asked?.answer?.result);
  }
  get stampedArgumentsDigest(): string | undefined {
    const stamped = this.#stamp(ownAttributes.toolArgumentsDigest);
    return typeof stamped === 'string' ? stamped : undefined;
  }
  get stampedArgumentDigests(): ReadonlyMap<string, string> {
    const prefix = ownAttributes.toolArgumentDigestPrefix;
    const stamped = this.layers.flatMap(({ span }) => [...span.attributes]);
    return new Map(
      stamped
        .filter((entry): entry is [string, string] => entry[0].startsWith(prefix) && typeof entry[1] === 'string')
        .map(([key, value]) => [key.slice(prefix.length), value]),
    );
  }
  #stamp(key: string): unknown {
    return this.layers.map(({ span }) => span.attributes.get(key)).find((value) => value !== undefined);
  }
}

/** What a framework adds to the arguments of the model (a context object) is no argument. */
function adds(told: { readonly [key: string]: Json }, wanted: Json): boolean {
  if (!isObject(wanted)) return false;
  return Object.entries(wanted).every(
    ([key, value]) => told[key] !== undefined && canonicalJson(told[key]) === canonicalJson(value),
  );
}
