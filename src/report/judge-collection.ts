import { Judge, type JudgedTrial } from '../suite/judge/judge.ts';
import type { RunSelection } from '../suite/run-selection.ts';
import type { Suite } from '../suite/suite.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
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
  /** Scopes that the user vouches for. */
  readonly instrumented?: readonly string[];
  /** Only these traces, and those that share a run id with them; empty: all. */
  readonly traceIds: readonly string[];
  /** Only runs that this lets through; the scenarios choose among them. */
  readonly selection?: RunSelection;
  readonly digest: (value: unknown) => string | null;
  /** A span that we named as parent and do not export (`-- COMMAND`). */
  readonly givenParentId?: string;
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
  const builder = new ReportBuilder({
    version,
    suite,
    accepted,
    deterministic,
    rerun,
    asked: { ...options.selection, traceIds: options.traceIds },
  });
  let judged = 0;
  const take = async (): Promise<void> => {
    for await (const trial of judge.trials(collection)) {
      judged += 1;
      builder.add(trial);
      options.onTrial?.(trial);
      for (const { accident } of trial.outcomes) if (accident !== undefined) options.onAccident?.(accident);
    }
  };
  const failure = await take().catch((thrown: unknown) => {
    // A server that died half-way: what it gave until then may be enough to fail.
    if (judged > 0 && OtelEvalError.is(thrown) && thrown.code === 'OTEL_EVAL_UNAVAILABLE') return thrown;
    throw thrown;
  });
  return builder.finish({
    collection,
    tally: judge.tally,
    startedAtMs,
    endedAtMs: now(),
    ...(failure === undefined ? {} : { unavailable: { code: failure.code, message: failure.message } }),
  });
}
