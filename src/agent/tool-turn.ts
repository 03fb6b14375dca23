import { canonicalJson } from '../trace/canonical-json.ts';
import type { Layer } from './layer.ts';
import type { ToolGroup } from './tool-groups.ts';

/** The tool layers of one turn of a model, each with the call that it was found to tell of. */
export class ToolTurn {
  /** Most turns have one layer: nothing is read of it before there is a second. */
  #first: Layer | undefined;
  #firstGroup: ToolGroup | undefined;
  #byCall: Map<string, ToolGroup> | undefined;
  /** Calls that waited under no id. */
  #asleep: Map<string, ToolGroup> | undefined;

  add(layer: Layer, group: ToolGroup): void {
    if (this.#first === undefined) {
      this.#first = layer;
      this.#firstGroup = group;
    } else this.#calls().set(callKey(layer), group);
  }

  addAsleep(layer: Layer, group: ToolGroup): void {
    this.#asleep ??= new Map();
    this.#asleep.set(argumentsKey(layer), group);
  }

  /** The last call of the same id and name; without an id of the same arguments, where they are visible. */
  before(layer: Layer): ToolGroup | undefined {
    return this.#first === undefined ? undefined : this.#calls().get(callKey(layer));
  }

  asleep(layer: Layer): ToolGroup | undefined {
    return this.#asleep?.get(argumentsKey(layer));
  }

  #calls(): Map<string, ToolGroup> {
    if (this.#byCall !== undefined) return this.#byCall;
    this.#byCall = new Map();
    if (this.#first !== undefined && this.#firstGroup !== undefined)
      this.#byCall.set(callKey(this.#first), this.#firstGroup);
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
