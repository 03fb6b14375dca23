import type { Report } from '../../report/report.ts';
import type { SliceSpec } from '../../report/slices.ts';
import { withSlices } from '../../report/slices.ts';
import type { Suite } from '../../suite/suite.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Invocation } from '../command.ts';
import type { LoadedConfig } from '../config-file.ts';
import type { Context } from '../context.ts';
import { errorText } from '../error-text.ts';
import type { ExitCode } from '../exit-code.ts';
import { reportOptions } from '../report-options.ts';
import { sourceSettings } from '../source-settings.ts';
import { look } from './look.ts';
import { ReportOutputs } from './report-outputs.ts';
import { TrialWatch } from './trial-watch.ts';
import { withAccess } from './with-access.ts';

export interface JudgeTracesGivens {
  /** The suite as the user named it. */
  readonly path: string | undefined;
  /** Each `NAME` or `NAME={json}` behind `--assert`. */
  readonly asserts: readonly string[];
  readonly slices: readonly SliceSpec[];
  readonly config: LoadedConfig;
  readonly options: Invocation['options'];
  readonly childCommand: readonly string[];
}

/** Judges existing traces and writes the reports: what `check` does, and `run` for a suite whose target is traces. */
export async function judgeTraces(suite: Suite, givens: JudgeTracesGivens, context: Context): Promise<ExitCode> {
  const { path, asserts, slices, config, options, childCommand } = givens;
  if (options['expectExit'] !== undefined && childCommand.length === 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', '--expect-exit goes with a command behind "--", got none');
  }
  const settings = sourceSettings({ options, config, suite, hasCommand: childCommand.length > 0 }, context);
  const wanted = reportOptions(options, config);
  const watch = new TrialWatch(options, context, wanted.waterfalls);
  const outputs = await ReportOutputs.open(wanted, context);
  try {
    const rerun = { suitePath: path, asserts, settings, command: childCommand };
    const live = { command: childCommand, expectedExit: (options['expectExit'] as number | undefined) ?? 0 };
    const judged = await withAccess(suite, settings.access, context);
    const looked = await look(judged, { settings, options, rerun, live, watch }, context);
    const { error } = looked;
    const report: Report = withSlices(looked.report, slices);
    await outputs.write(report, {
      toStdout: report.source.fetched.traces > 0 || error === undefined || options['json'] === true,
    });
    if (watch.content !== '') await context.write(watch.content);
    if (error !== undefined) context.note(errorText(error, { debug: options['debug'] === true }));
    return report.exitCode as ExitCode;
  } finally {
    await outputs.discard();
  }
}
