import { serverAddress } from '../../../collectors/http/server-address.ts';
import { packageVersion } from '../../package-version.ts';
import { failedReport } from '../../report/failed-report.ts';
import { judgeCollection } from '../../report/judge-collection.ts';
import type { Report } from '../../report/report.ts';
import { withChildOutcome } from '../../report/with-child-outcome.ts';
import { isDecidedEarly, sharedExpectations } from '../../suite/judge/early-decision.ts';
import type { Suite } from '../../suite/suite.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { CollectedTrace } from '../../trace/trace-set.ts';
import type { Invocation } from '../command.ts';
import type { Context } from '../context.ts';
import { digestFrom } from '../digest-key.ts';
import { errorText } from '../error-text.ts';
import { exitCodeOfError } from '../exit-code.ts';
import type { LiveOptions } from '../live-command.ts';
import { withCollection } from '../open-collector.ts';
import type { SourceSettings } from '../source-settings.ts';
import { type RerunGivens, rerunLine } from './rerun-line.ts';
import type { TrialWatch } from './trial-watch.ts';
import { withProjections } from './with-projections.ts';

export interface LookGivens {
  readonly settings: SourceSettings;
  readonly options: Invocation['options'];
  readonly rerun: RerunGivens;
  readonly live: LiveOptions;
  readonly watch: TrialWatch;
}

export interface Look {
  readonly report: Report;
  /** What kept us from looking, or a command under test that failed: in the report too. */
  readonly error: OtelEvalError | undefined;
}

/** Looks at the traces and judges them. A usage error is thrown; whatever else goes wrong becomes a report as well. */
export async function look(suite: Suite, givens: LookGivens, context: Context): Promise<Look> {
  const { settings, options } = givens;
  const startedAtMs = context.now();
  try {
    return await judge(suite, givens, context).finally(() => givens.watch.end());
  } catch (error) {
    if (!OtelEvalError.is(error) || error.code === 'OTEL_EVAL_USAGE') throw error;
    const times = { startedAt: new Date(startedAtMs).toISOString(), durationMs: context.now() - startedAtMs };
    const report = failedReport(suite, {
      version: packageVersion(),
      source: { kind: settings.kind, address: addressOf(settings) },
      accepted: settings.accepted,
      status: exitCodeOfError(error.code) === 3 ? 'unavailable' : 'error',
      error: { code: error.code, message: error.message },
      ...(options['deterministic'] === true ? {} : times),
    });
    return { report, error };
  }
}

function addressOf({ remote, inputs }: SourceSettings): string {
  return remote === undefined ? inputs.join(', ') : serverAddress(remote.url).shown;
}

function judge(suite: Suite, { settings, options, rerun, live, watch }: LookGivens, context: Context): Promise<Look> {
  const { kind, traceIds, selection, oneRun, instrumented, accepted } = settings;
  const digest = digestFrom(options, context);
  const judging = { kind, traceIds, selection, oneRun, instrumented, digest, acceptsSettled: accepted === 'settled' };
  const waiting = {
    early: true,
    expectations: sharedExpectations(suite.scenarios),
    decided: (traces: readonly CollectedTrace[]) => isDecidedEarly(traces, suite.scenarios, judging),
  };
  return withCollection(settings, { context, waiting, live, progress: watch.progress }, async (collection, outcome) => {
    // A command under test has written them by now.
    const projected = await withProjections(suite, settings.projections, context);
    const report = await judgeCollection(projected, collection, {
      version: packageVersion(),
      now: context.now,
      accepted,
      oneRun,
      instrumented,
      traceIds,
      selection,
      digest,
      deterministic: options['deterministic'] === true,
      ...(outcome === undefined ? {} : { givenParentId: outcome.parentSpanId }),
      rerun: (trial) => rerunLine(rerun, trial),
      onTrial: (trial) => watch.see(trial),
      onAccident: (accident) => {
        if (options['debug'] === true) context.note(errorText(accident, { debug: true }));
      },
    });
    if (outcome === undefined) return { report, error: undefined };
    return { report: withChildOutcome(report, outcome), error: outcome.failure };
  });
}
