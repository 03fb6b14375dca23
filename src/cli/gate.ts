import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatGate } from '../report/format-gate.ts';
import { mergeReports } from '../report/run/merge-reports.ts';
import { artifactFinding } from '../suite/gate/artifact-rule.ts';
import { type Baseline, baselineOf, parseBaseline } from '../suite/gate/baseline.ts';
import { type GateResult, gate } from '../suite/gate/gate.ts';
import { type GateReport, parseGateReport } from '../suite/gate/gate-report.ts';
import { combinedDecision, type GateDecision } from '../suite/gate/gate-verdict.ts';
import { projectionOf } from '../suite/gate/projection.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { wantsColour } from './colour-choice.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { readReport } from './merge.ts';
import { ReportTarget } from './report-target.ts';
import { artifactOf } from './run/artifact.ts';
import { describeOutput } from './source-options.ts';

export const gateCommand: CommandModule = {
  describe(command: Command): void {
    command
      .argument('<report...>', 'JSON report of "otel-eval run", or those of its shards')
      .option('--baseline <file>', 'what the release is compared with, and by which rules')
      .option('--write-baseline <file>', 'make the report the baseline; rules and reasons of --baseline are kept')
      .option('--artifact <file>', 'what is to be released: must be what was tested, by its SHA-256')
      .option('--projection <file>', 'counts, percentiles and fingerprints of the report, to keep with the release')
      .option('--json [file]', 'the decision as JSON, to stdout without a file');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval gate report.json --write-baseline baseline.json             the first time
  otel-eval gate report.json --baseline baseline.json --artifact agent-1.4.0.tgz --projection evaluation.json

Exit codes: 0 PASS, 1 FAIL, 2 error (as results that are not comparable), 4 INSUFFICIENT_EVIDENCE.`,
    );
  },

  async run({ args, options }: Invocation, context: Context): Promise<ExitCode> {
    const report = await wholeReport(args, context.cwd);
    const baseline = await readBaseline(options['baseline'] as string | undefined, context.cwd);
    const next = options['writeBaseline'] as string | undefined;
    if (next !== undefined) {
      await writeJson(next, baselineOf(report, baseline), context);
      context.note(`wrote ${next}`);
      return 0;
    }
    if (baseline === undefined) {
      throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected a baseline to compare with, got none', {
        hint: 'give --baseline FILE, or make one with --write-baseline FILE',
      });
    }
    const result = await judged(report, baseline, options['artifact'] as string | undefined, context);
    const projection = options['projection'] as string | undefined;
    if (projection !== undefined) await writeJson(projection, projectionOf(report), context);
    await tell(result, report, options, context);
    return exitCodes[result.decision];
  },
};

const exitCodes: Readonly<Record<GateDecision, ExitCode>> = { PASS: 0, FAIL: 1, INSUFFICIENT_EVIDENCE: 4 };

async function judged(
  report: GateReport,
  baseline: Baseline,
  artifactPath: string | undefined,
  { cwd }: Context,
): Promise<GateResult> {
  const result = gate(report, baseline);
  const artifact = await artifactOf(artifactPath, cwd);
  if (artifact === null) return result;
  const findings = [artifactFinding(report.plan.artifact, artifact), ...result.findings];
  return { decision: combinedDecision(findings), findings };
}

/** One report, or shards put together. */
async function wholeReport(paths: readonly string[], cwd: string): Promise<GateReport> {
  const [only = ''] = paths;
  const reports = await Promise.all(paths.map(async (path) => ({ path, report: await readReport(path, cwd) })));
  const report = reports.length === 1 ? reports[0]?.report : mergeReports(reports, false);
  return parseGateReport(JSON.stringify(report), paths.length === 1 ? only : 'the merged shards');
}

async function readBaseline(path: string | undefined, cwd: string): Promise<Baseline | undefined> {
  if (path === undefined) return undefined;
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
  try {
    return parseBaseline(JSON.parse(text), path);
  } catch (cause) {
    if (OtelEvalError.is(cause)) throw cause;
    throw new OtelEvalError('OTEL_EVAL_USAGE', `${path} is no baseline: it is not JSON`, { source: path, cause });
  }
}

async function tell(
  { decision, findings }: GateResult,
  report: GateReport,
  options: Invocation['options'],
  context: Context,
): Promise<void> {
  const json = options['json'] as string | true | undefined;
  const document = {
    schema: 'otel-eval/gate/v1',
    decision,
    exitCode: exitCodes[decision],
    findings,
    projection: projectionOf(report),
  };
  if (typeof json === 'string') await writeJson(json, document, context);
  if (json === true) {
    await context.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const colour = wantsColour(options, context);
  await context.write(formatGate({ decision, findings }, { colour, quiet: options['quiet'] === true }));
}

async function writeJson(path: string, value: unknown, { cwd }: Context): Promise<void> {
  const target = await ReportTarget.open(path, cwd);
  await target.write(`${JSON.stringify(value, null, 2)}\n`);
}
