import type { Command } from 'commander';
import { assertions } from '../../assertions/index.ts';
import { packageVersion } from '../package-version.ts';
import { failedReport } from '../report/failed-report.ts';
import { judgeCollection } from '../report/judge-collection.ts';
import type { Report } from '../report/report.ts';
import { isDecidedEarly, sharedExpectations } from '../suite/judge/early-decision.ts';
import type { Suite } from '../suite/suite.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import { ReportOutputs } from './check/report-outputs.ts';
import { rerunLine } from './check/rerun-line.ts';
import { suiteToCheck } from './check/suite-to-check.ts';
import type { CommandModule, Invocation } from './command.ts';
import { loadConfig } from './config-file.ts';
import type { Context } from './context.ts';
import { digestFrom } from './digest-key.ts';
import { errorText } from './error-text.ts';
import { type ExitCode, exitCodeOfError } from './exit-code.ts';
import { withCollection } from './open-collector.ts';
import { oneOf, repeatable } from './option-table.ts';
import { describeOutput, describeSource } from './source-options.ts';
import { type SourceSettings, sourceSettings } from './source-settings.ts';

export const checkCommand: CommandModule = {
  describe(command: Command): void {
    command.argument('[suite]', 'suite in YAML, JSON or TypeScript');
    describeSource(command);
    repeatable(command, '--assert <name>', 'judge by this assertion: NAME, or NAME={json}');
    repeatable(command, '--scenario <name>', 'only this scenario of the suite');
    oneOf(command, '--completeness <state>', {
      words: ['proven', 'settled'],
      description: 'what is complete enough on a remote source (default: proven)',
    });
    command
      .option('--json [file]', 'report as JSON, to stdout without a file')
      .option('--junit <file>', 'report as JUnit XML')
      .option('--deterministic', 'leave times and durations out');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval check suite.yaml                                              the suite says where its traces are
  otel-eval check suite.yaml --input traces.jsonl --junit junit.xml       for CI
  otel-eval check --input traces.jsonl --assert ExecutionTraceJoined      no suite at all
  otel-eval check --input traces.jsonl --assert 'ToolCalled={"match":{"tool":"issue_refund"},"expect":{"exactly":1}}'

Exit codes: 0 passed, 1 failed, 2 error, 3 unavailable, 4 inconclusive.`,
    );
  },

  async run({ args, options }: Invocation, context: Context): Promise<ExitCode> {
    const config = await loadConfig(options['config'] as string | undefined, context.cwd);
    const asserts = (options['assert'] as readonly string[] | undefined) ?? [];
    const path = args[0] ?? (asserts.length === 0 ? config.suite : undefined);
    const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
    const whole = await suiteToCheck({ path, asserts, registry, cwd: context.cwd });
    const suite = onlyScenarios(whole, (options['scenario'] as readonly string[] | undefined) ?? []);
    const settings = sourceSettings({ options, config, suite }, context);
    const json = options['json'] as string | true | undefined;
    const junit = (options['junit'] as string | undefined) ?? config.junit;
    const outputs = await ReportOutputs.open({ json: json ?? config.json, junit, options }, context);
    try {
      const rerun = { suitePath: path, asserts, settings };
      const { report, error } = await look(suite, { settings, options, rerun }, context);
      await outputs.write(report, { toStdout: error === undefined || json === true });
      if (error !== undefined) throw error;
      return report.exitCode as ExitCode;
    } finally {
      await outputs.discard();
    }
  },
};

interface LookGivens {
  readonly settings: SourceSettings;
  readonly options: Invocation['options'];
  readonly rerun: Parameters<typeof rerunLine>[0];
}

/** Judges; what kept us from looking becomes a report too, and is told beside it. */
async function look(
  suite: Suite,
  { settings, options, rerun }: LookGivens,
  context: Context,
): Promise<{ readonly report: Report; readonly error?: OtelEvalError }> {
  const deterministic = options['deterministic'] === true;
  const version = packageVersion();
  const startedAtMs = context.now();
  try {
    const report = await judge(suite, { settings, options, rerun }, context);
    return { report };
  } catch (error) {
    if (!OtelEvalError.is(error)) throw error;
    const status = exitCodeOfError(error.code) === 3 ? 'unavailable' : 'error';
    const times = { startedAt: new Date(startedAtMs).toISOString(), durationMs: context.now() - startedAtMs };
    const report = failedReport(suite, {
      version,
      source: { kind: settings.kind, address: settings.inputs.join(', ') },
      accepted: settings.accepted,
      status,
      error: { code: error.code, message: error.message },
      ...(deterministic ? {} : times),
    });
    return { report, error };
  }
}

function judge(suite: Suite, { settings, options, rerun }: LookGivens, context: Context): Promise<Report> {
  const { kind, traceIds, selection, oneRun } = settings;
  const digest = digestFrom(options, context);
  const judging = { kind, traceIds, selection, oneRun, digest, acceptsSettled: settings.accepted === 'settled' };
  const waiting = {
    early: true,
    expectations: sharedExpectations(suite.scenarios),
    decided: (traces: readonly CollectedTrace[]) => isDecidedEarly(traces, suite.scenarios, judging),
  };
  return withCollection(settings, { context, waiting }, (collection) =>
    judgeCollection(suite, collection, {
      version: packageVersion(),
      now: context.now,
      accepted: settings.accepted,
      oneRun: settings.oneRun,
      traceIds: settings.traceIds,
      selection: settings.selection,
      digest,
      deterministic: options['deterministic'] === true,
      rerun: (trial) => rerunLine(rerun, trial),
      onAccident: (accident) => {
        if (options['debug'] === true) context.note(errorText(accident, { debug: true }));
      },
    }),
  );
}

function onlyScenarios(suite: Suite, names: readonly string[]): Suite {
  if (names.length === 0) return suite;
  const scenarios = suite.scenarios.filter(({ name }) => names.includes(name));
  const absent = names.find((name) => !suite.scenarios.some((scenario) => scenario.name === name));
  if (absent === undefined) return { ...suite, scenarios };
  const known = suite.scenarios.map(({ name }) => `"${name}"`).join(', ');
  throw new OtelEvalError('OTEL_EVAL_USAGE', `the suite has no scenario "${absent}"`, { hint: `it has ${known}` });
}
