import { Judge, type JudgedTrial } from '../suite/judge/judge.ts';
import type { RunSelection } from '../suite/run-selection.ts';
import type { Suite } from '../suite/suite.ts';
import type { Collection } from '../trace/trace-set.ts';
import type { Report } from './report.ts';
import { ReportBuilder } from './report-builder.ts';

export interface JudgeCollectionOptions {
  /** Of otel-eval, for the report. */
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly accepted: 'proven' | 'settled';
  readonly oneRun: boolean;
  /** Only these traces, and those that share a run id with them; empty: all. */
  readonly traceIds: readonly string[];
  /** Only runs that this lets through; the scenarios choose among them. */
  readonly selection?: RunSelection;
  readonly digest: (value: unknown) => string | null;
  /** Leaves times and durations out. */
  readonly deterministic: boolean;
  /** Command line that judges one trial again. */
  readonly rerun: (trial: JudgedTrial) => string | null;
  /** Called with each trial while its run is at hand. */
  readonly onTrial?: (trial: JudgedTrial) => void;
  /** Called with what an assertion threw by accident. */
  readonly onAccident?: (accident: unknown) => void;
}

/** Judges all that a collection yields, trace by trace, and reports. */
export async function judgeCollection(
  suite: Suite,
  collection: Collection,
  options: JudgeCollectionOptions,
): Promise<Report> {
  const { version, accepted, deterministic, rerun, now } = options;
  const startedAtMs = now();
  const judge = new Judge(suite.scenarios, { ...options, acceptsSettled: accepted === 'settled' });
  const builder = new ReportBuilder({ version, suite, accepted, deterministic, rerun });
  for await (const trial of judge.trials(collection)) {
    builder.add(trial);
    options.onTrial?.(trial);
    for (const { accident } of trial.outcomes) if (accident !== undefined) options.onAccident?.(accident);
  }
  return builder.finish({ collection, tally: judge.tally, startedAtMs, endedAtMs: now() });
}
