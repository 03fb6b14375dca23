import { canonicalJson } from '../trace/canonical-json.ts';
import type { Layer } from './layer.ts';

/** The tool layers of one turn of a model, each with the call that it was found to tell of. */
export class ToolTurn<Call> {
  /** Position of the model call; -1 before the first. */
  readonly place: number;
  /** Most turns have one layer: nothing is read of it before there is a second. */
  #first: Layer | undefined;
  #firstCall: Call | undefined;
  #byCall: Map<string, Call> | undefined;
  /** Calls that waited under no id. */
  #asleep: Map<string, Call> | undefined;

  constructor(place: number) {
    this.place = place;
  }

  add(layer: Layer, call: Call): void {
    if (this.#first === undefined) {
      this.#first = layer;
      this.#firstCall = call;
    } else this.#calls().set(callKey(layer), call);
  }

  addAsleep(layer: Layer, call: Call): void {
    this.#asleep ??= new Map();
    this.#asleep.set(argumentsKey(layer), call);
  }

  /** The last call of the same id and name; without an id of the same arguments, where they are visible. */
  before(layer: Layer): Call | undefined {
    return this.#first === undefined ? undefined : this.#calls().get(callKey(layer));
  }

  asleep(layer: Layer): Call | undefined {
    return this.#asleep?.get(argumentsKey(layer));
  }

  #calls(): Map<string, Call> {
    if (this.#byCall !== undefined) return this.#byCall;
    this.#byCall = new Map();
    if (this.#first !== undefined && this.#firstCall !== undefined)
      this.#byCall.set(callKey(this.#first), this.#firstCall);
    return this.#byCall;
  }
}

function callKey(layer: Layer): string {
  const id = layer.value('callId');
  return id === undefined ? argumentsKey(layer) : `${layer.value('toolName') ?? ''} ${id}`;
}

function argumentsKey(layer: Layer): string {
  const name = layer.value('toolName') ?? '';
  const given = layer.value('arguments');
  return `${name} ${given === undefined ? '' : canonicalJson(given)}`;
}
