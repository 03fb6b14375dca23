import type { LogRecord } from '../../src/trace/log-record.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { RunGroups } from '../../src/trace/run-groups.ts';
import type { CollectedTrace, InputReading } from '../../src/trace/trace-set.ts';
import type { FileInput } from './file-input.ts';
import { findLifetimes } from './first-pass.ts';
import type { InputState } from './input-state.ts';
import type { Lifetimes } from './lifetimes.ts';
import { type SourceNature, TraceGroups } from './trace-groups.ts';
import type { TraceReading } from './trace-reading.ts';

const closedFile: SourceNature = { remote: false, ended: true, quiet: true, cut: false };

type Groups = AsyncGenerator<readonly CollectedTrace[], void, undefined>;

/** Reads several inputs as one source. */
export class FileReading {
  readonly #inputs: readonly FileInput[];
  readonly #twoPassesAbove: number;
  readonly #nature: SourceNature;
  #states: InputState[] = [];
  looseLogs: LogRecord[] = [];

  constructor(inputs: readonly FileInput[], twoPassesAbove: number, nature: SourceNature = closedFile) {
    this.#inputs = inputs;
    this.#twoPassesAbove = twoPassesAbove;
    this.#nature = nature;
  }

  inputs(): InputReading[] {
    return this.#states.map((state) => state.reading);
  }

  async *groups(signal?: AbortSignal): Groups {
    const small = this.#stored() <= this.#twoPassesAbove ? await this.#readAtOnce(signal) : undefined;
    if (small !== undefined) yield* small;
    else yield* this.#readInTwoPasses(signal);
  }

  #stored(): number {
    return this.#inputs.reduce((sum, input) => sum + input.size, 0);
  }

  #begin(): TraceGroups {
    this.#states = this.#inputs.map((input) => input.newState());
    this.looseLogs = [];
    return new TraceGroups(this.looseLogs, this.#nature);
  }

  /** `undefined` where more came out of packed inputs than is read at once. */
  async #readAtOnce(signal?: AbortSignal): Promise<(readonly CollectedTrace[])[] | undefined> {
    const traces = this.#begin();
    const runs = new RunGroups();
    let before = 0;
    for (const [index, input] of this.#inputs.entries()) {
      const state = this.#states[index] as InputState;
      let unpacked = 0;
      for await (const { readings, end } of input.documents(state, signal)) {
        unpacked = end;
        if (before + unpacked > this.#twoPassesAbove) return undefined;
        for (const reading of readings) {
          traces.add(reading, state);
          for (const span of reading.batch.spans) runs.note(span);
        }
      }
      before += unpacked;
    }
    return [...taken(traces, runs.split(traces.ids()))];
  }

  async *#readInTwoPasses(signal?: AbortSignal): Groups {
    const { lifetimes, piecesBefore } = await findLifetimes(this.#inputs, signal);
    const traces = this.#begin();
    for (const index of lifetimes.cut) (this.#states[index] as InputState).cut = true;
    for (const [index, input] of this.#inputs.entries()) {
      const state = this.#states[index] as InputState;
      const before = piecesBefore[index] ?? 0;
      for await (const { readings, number } of input.documents(state, signal)) {
        for (const reading of readings) {
          foreseen(reading, lifetimes, input.label);
          for (const traceId of traces.add(reading, state)) lifetimes.began(traceId);
        }
        yield* taken(traces, lifetimes.wholeAt(before + number));
      }
    }
    yield* taken(traces, lifetimes.runs.split(traces.ids()));
  }
}

function* taken(
  traces: TraceGroups,
  groups: Iterable<readonly string[]>,
): Generator<readonly CollectedTrace[], void, undefined> {
  for (const traceIds of groups) {
    const group = traces.take(traceIds);
    if (group.length > 0) yield group;
  }
}

/** A trace that was handed over must not come again. */
function foreseen(reading: TraceReading, lifetimes: Lifetimes, source: string): void {
  for (const { traceId } of reading.batch.spans) {
    if (lifetimes.isOpen(traceId)) continue;
    const message = `${source} changed while it was read, or spells trace ids in a way that was not foreseen`;
    throw new OtelEvalError('OTEL_EVAL_BAD_FIELD', message, { source, field: 'traceId' });
  }
}
