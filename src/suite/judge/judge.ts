import type { Run } from '../../agent/run.ts';
import { createRunReader, type RunOptions, type RunReader } from '../../agent/run-reader.ts';
import type { CollectedTrace, Collection } from '../../trace/trace-set.ts';
import type { View } from '../../verdict/assertion.ts';
import { isSelected, type RunSelection } from '../run-selection.ts';
import type { Scenario } from '../suite.ts';
import { type AssertionOutcome, evaluateAssertion } from './evaluate-assertion.ts';
import { TraceTally } from './trace-tally.ts';
import { viewOf } from './view-of.ts';

export interface JudgeOptions {
  /** `--completeness settled`. A scenario may say so for itself. */
  readonly acceptsSettled: boolean;
  /** `--one-run`: everything is one run. */
  readonly oneRun: boolean;
  /** `--instrumented`: scopes that make a span for every model and tool call. */
  readonly instrumented?: readonly string[];
  /** Only groups that hold one of these; empty: all. Traces that share a run id are one group, and stay together. */
  readonly traceIds: readonly string[];
  /** Every scenario judges only what this lets through too. */
  readonly selection?: RunSelection;
  readonly digest: (value: unknown) => string | null;
  /** A span that we named as parent and do not export (`-- COMMAND`): to hang below it is no loss. */
  readonly givenParentId?: string;
}

/** One run judged by one scenario. The view may be dropped once what is needed of it has been read. */
export interface JudgedTrial {
  readonly scenario: Scenario;
  readonly view: View;
  readonly outcomes: readonly AssertionOutcome[];
}

/**
 * Judges a collection trace by trace: each scenario judges every run that it selects. Nothing is kept of a run once its
 * trials have been handed on, so memory is bounded by what the source has open at once.
 */
export class Judge {
  readonly tally: TraceTally = new TraceTally();
  readonly #options: JudgeOptions;
  readonly #readings: readonly Reading[];

  constructor(scenarios: readonly Scenario[], options: JudgeOptions) {
    this.#options = options;
    this.#readings = readingsOf(scenarios, options);
  }

  async *trials(collection: Collection): AsyncGenerator<JudgedTrial> {
    const wanted = new Set(this.#options.traceIds.map((id) => id.toLowerCase()));
    for await (const group of collection.groups()) {
      for (const { trace, replaces } of group) if (replaces !== true) this.tally.see(trace);
      if (wanted.size > 0 && !group.some(({ trace }) => wanted.has(trace.traceId))) {
        for (const { trace } of group) this.tally.settle(trace.traceId);
        continue;
      }
      for (const reading of this.#readings) yield* this.#judgeRuns(reading, reading.add(group), collection);
    }
    for (const reading of this.#readings) yield* this.#judgeRuns(reading, reading.end(), collection);
    this.tally.settleAll();
  }

  #isAwaited(traceId: string): boolean {
    return this.#readings.some((reading) => reading.awaited.has(traceId));
  }

  *#judgeRuns(reading: Reading, runs: readonly Run[], collection: Collection): Generator<JudgedTrial> {
    for (const run of runs) {
      if (!isSelected(run, this.#options.selection ?? {})) continue;
      const traces = reading.tracesOf(run);
      for (const scenario of reading.scenarios) {
        if (!isSelected(run, scenario.select)) continue;
        for (const { trace } of traces) this.tally.judged(trace.traceId);
        const view = viewOf(scenario, { run, traces, kind: collection.source.kind }, this.#options);
        const outcomes = scenario.assertions.map((use) => evaluateAssertion(use, view));
        yield { scenario, view, outcomes };
      }
    }
    for (const traceId of reading.release(runs)) if (!this.#isAwaited(traceId)) this.tally.settle(traceId);
  }
}

/** Scenarios that tell runs apart in the same way share one reading of them. */
class Reading {
  readonly scenarios: Scenario[] = [];
  /** Given to the reader and not yet part of a run. */
  readonly awaited: Map<string, CollectedTrace> = new Map();
  readonly #reader: RunReader;

  constructor(reader: RunReader) {
    this.#reader = reader;
  }

  add(group: readonly CollectedTrace[]): readonly Run[] {
    for (const each of group) this.awaited.set(each.trace.traceId, each);
    return this.#reader.add(group);
  }

  end(): readonly Run[] {
    return this.#reader.end();
  }

  /** The traces of a run with what is known of them; several runs may share a trace. */
  tracesOf(run: Run): CollectedTrace[] {
    return run.traces.flatMap(({ traceId }) => this.awaited.get(traceId) ?? []);
  }

  /** Lets go of the traces of these runs and tells which they were. */
  release(runs: readonly Run[]): readonly string[] {
    const traceIds = runs.flatMap(({ traces }) => traces.map(({ traceId }) => traceId));
    for (const traceId of traceIds) this.awaited.delete(traceId);
    return traceIds;
  }
}

function readingsOf(scenarios: readonly Scenario[], { oneRun, instrumented = [] }: JudgeOptions): Reading[] {
  const byKey = new Map<string, Reading>();
  for (const scenario of scenarios) {
    const { runBy } = scenario;
    const how: RunOptions = {
      oneRun: oneRun || scenario.oneRun,
      instrumented,
      ...(runBy === undefined ? {} : { runBy }),
    };
    const key = JSON.stringify(how);
    const known = byKey.get(key) ?? new Reading(createRunReader(how));
    byKey.set(key, known);
    known.scenarios.push(scenario);
  }
  return [...byKey.values()];
}
