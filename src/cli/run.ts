import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { assertions } from '../../assertions/index.ts';
import { packageVersion } from '../package-version.ts';
import { parseSlice, withSlices } from '../report/slices.ts';
import { loadExports } from '../suite/load-module.ts';
import { loadSuite } from '../suite/load-suite.ts';
import { openTarget } from '../suite/run/open-target.ts';
import { planRun, type RunPlan } from '../suite/run/run-plan.ts';
import { openJournal } from '../suite/trial/journal.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { judgeTraces } from './check/judge-traces.ts';
import { ReportOutputs } from './check/report-outputs.ts';
import type { CommandModule, Invocation } from './command.ts';
import { loadConfig } from './config-file.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { reportOptions } from './report-options.ts';
import { artifactOf } from './run/artifact.ts';
import { suiteOfExistingTraces } from './run/existing-traces.ts';
import { describeRun, runChoice } from './run/run-options.ts';
import { runPlan } from './run/run-plan-to-report.ts';
import { runSource } from './run/run-source.ts';
import { tellPlan } from './run/tell-plan.ts';
import { describeOutput } from './source-options.ts';

export const runCommand: CommandModule = {
  describe(command: Command): void {
    describeRun(command);
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval run refund.suite.yaml                            every scenario, as often as the suite says
  otel-eval run refund.suite.ts --profile fast --tag smoke   a profile, and only some scenarios
  otel-eval run refund.suite.yaml --trials 200 --plan --pilot report.json   what that would cost
  otel-eval run refund.suite.yaml --plan --lint              is its fault plan fair, and does it tell agents apart?
  otel-eval run refund.suite.yaml --trials 20 --resume run.journal --json report.json
  otel-eval run refund.suite.yaml --shard 2/4 --json shard-2.json

Exit codes: 0 passed, 1 failed, 2 error, 3 unavailable, 4 inconclusive.`,
    );
  },

  async run({ args, options }: Invocation, context: Context): Promise<ExitCode> {
    const [path = ''] = args;
    const config = await loadConfig(options['config'] as string | undefined, context.cwd);
    const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
    const suite = await loadSuite(path, registry, context.cwd);
    const slices = ((options['slice'] as readonly string[] | undefined) ?? []).map(parseSlice);
    const plan = planRun(suite, runChoice(options));
    if (plan.target === 'traces') {
      const judged = suiteOfExistingTraces(plan, options);
      return judgeTraces(judged, { path, asserts: [], slices, config, options, childCommand: [] }, context);
    }
    if (options['lint'] === true && options['plan'] !== true) {
      throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected --plan with --lint: a plan is checked, and not run');
    }
    if (options['plan'] === true) return tellPlan(plan, options, context);
    const target = await openTarget(plan.target, {
      folder: dirname(resolve(context.cwd, path)),
      env: context.env,
      showStderr: options['debug'] === true,
      loadExports,
    });
    const settings = runSource({ options, config, plan, target }, context);
    const artifact = await artifactOf(options['artifact'] as string | undefined, context.cwd);
    const wanted = reportOptions(options, config);
    const outputs = await ReportOutputs.open(wanted, context);
    const journal = openedJournal(options, plan, context);
    try {
      const report = withSlices(
        await runPlan(
          plan,
          { path, target, settings, artifact, journal, options, waterfalls: wanted.waterfalls },
          context,
        ),
        slices,
      );
      await outputs.write(report, { toStdout: true });
      return report.exitCode as ExitCode;
    } finally {
      journal?.close();
      await outputs.discard();
    }
  },
};

function openedJournal(
  options: Invocation['options'],
  plan: RunPlan,
  { cwd }: Context,
): ReturnType<typeof openJournal> | undefined {
  const path = options['resume'] as string | undefined;
  if (path === undefined) return undefined;
  return openJournal(resolve(cwd, path), { version: packageVersion(), planHash: plan.journalHash });
}
