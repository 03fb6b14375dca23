import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Report } from '../report/report.ts';
import { reportSchema } from '../report/report-schema.ts';
import { mergeReports } from '../report/run/merge-reports.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { ReportOutputs } from './check/report-outputs.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { describeReports, reportOptions } from './report-options.ts';
import { describeOutput } from './source-options.ts';

export const mergeCommand: CommandModule = {
  describe(command: Command): void {
    command.argument('<report...>', 'JSON reports of the shards of one run');
    describeReports(command);
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval merge shard-*.json --json report.json --junit junit.xml --html report.html

A shard that is missing leaves its trials not run, which is never a pass.
Exit codes: 0 passed, 1 failed, 2 error, 3 unavailable, 4 inconclusive.`,
    );
  },

  async run({ args, options }: Invocation, context: Context): Promise<ExitCode> {
    const shards = await Promise.all(args.map(async (path) => ({ path, report: await readReport(path, context.cwd) })));
    const report = mergeReports(shards, options['deterministic'] === true);
    const outputs = await ReportOutputs.open(reportOptions(options, {}), context);
    try {
      await outputs.write(report, { toStdout: true });
    } finally {
      await outputs.discard();
    }
    return report.exitCode as ExitCode;
  },
};

/** A JSON report; anything else is refused in one sentence. */
export async function readReport(path: string, cwd: string): Promise<Report> {
  const refuse = (what: string): OtelEvalError =>
    new OtelEvalError('OTEL_EVAL_USAGE', `expected a JSON report of otel-eval in ${path}, ${what}`, { source: path });
  let text: string;
  try {
    text = await readFile(resolve(cwd, path), 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${path}: ${code === 'ENOENT' ? 'no such file' : code}`, {
      source: path,
      cause,
    });
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  const result = reportSchema.safeParse(data);
  if (result.success) return data as Report;
  throw refuse(`${result.error.issues[0]?.path.join('.') || 'the document'} is missing or wrong`);
}
