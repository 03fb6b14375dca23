import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { displayName } from '../trace/display-name.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import { reportDifference } from './diff/report-difference.ts';
import { reportDifferenceText } from './diff/report-difference-text.ts';
import { VersionDifference } from './diff/version-difference.ts';
import { versionDifferenceText } from './diff/version-difference-text.ts';
import type { ExitCode } from './exit-code.ts';
import { readReport } from './merge.ts';
import { repeatable } from './option-table.ts';
import { eachRun } from './read-runs.ts';
import { describeOutput } from './source-options.ts';
import { withTraces } from './with-traces.ts';

export const diffCommand: CommandModule = {
  describe(command: Command): void {
    command
      .argument('<path...>', 'two JSON reports of "otel-eval run", or the traces of two or more versions')
      .option('--tool <name>', 'traces: only this tool')
      .option('--cap <n>', 'traces: attempts at which runs were stopped; what they took is "at least" so much', whole)
      .option('--one-run', 'all traces of a version are one run');
    repeatable(
      command,
      '--instrumented <scope>',
      'this scope makes a span for every model and tool call, your word for it',
    );
    command
      .option('--config <file>', 'configuration (default: otel-eval.config.ts, .js, .yaml or .json, found upwards)')
      .option('--json', 'the differences as JSON');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Of two reports: scenarios whose result changed, and faulted trials whose label changed, with validity beside.
Of traces: what a failing run of each tool costs in each version, and why it takes longer.

Examples:
  otel-eval diff before.json after.json
  otel-eval diff traces/traceback traces/message traces/mapped --tool update_ticket --cap 12

A difference is no verdict: "otel-eval gate" judges a release. Exit codes: 0 compared, 2 error, 4 nothing to compare.`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const { args, options } = invocation;
    const [first = '', second] = args;
    if (second === undefined) {
      throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected two or more things to compare, got one', {
        hint: 'as in "otel-eval diff before.json after.json"',
      });
    }
    return (await isReport(first, context.cwd))
      ? ofReports(args, options['json'] === true, context)
      : ofTraces(invocation, context);
  },
};

async function ofReports(paths: readonly string[], json: boolean, context: Context): Promise<ExitCode> {
  const [before = '', after = '', third] = paths;
  if (third !== undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected two reports, got ${paths.length}`, {
      hint: 'shards are put together with "otel-eval merge"',
    });
  }
  const reports = [await readReport(before, context.cwd), await readReport(after, context.cwd)] as const;
  const found = reportDifference(...reports);
  const document = { schema: 'otel-eval/diff/v1', kind: 'reports', before, after, ...found };
  await context.write(json ? jsonText(document) : reportDifferenceText(found, context.columns));
  return 0;
}

async function ofTraces(invocation: Invocation, context: Context): Promise<ExitCode> {
  const { args, options } = invocation;
  const difference = new VersionDifference((options['cap'] as number | undefined) ?? Number.POSITIVE_INFINITY);
  for (const path of namedOnce(args)) {
    difference.version(path);
    const own = { ...invocation, options: { ...options, traceSource: 'file', input: [path] } };
    await withTraces(own, context, (collection, settings) =>
      eachRun(collection, settings, (run) => difference.add(run)),
    );
  }
  const wanted = options['tool'] as string | undefined;
  const tools = difference.tools().filter(({ tool }) => wanted === undefined || tool === wanted);
  const shown = tools.map((each) => ({ ...each, tool: displayName(each.tool) }));
  const document = { schema: 'otel-eval/diff/v1', kind: 'traces', versions: args, tools: shown };
  const nothing = `no call of ${wanted === undefined ? 'any tool' : `"${displayName(wanted)}"`} failed in these traces\n`;
  const text = tools.length === 0 ? nothing : versionDifferenceText(tools, context.columns);
  await context.write(options['json'] === true ? jsonText(document) : text);
  return tools.length === 0 ? 4 : 0;
}

function namedOnce(paths: readonly string[]): readonly string[] {
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice === undefined) return paths;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected traces of several versions, got ${twice} twice`);
}

/** By its first characters: a folder, a glob and anything that is no report are traces. */
async function isReport(path: string, cwd: string): Promise<boolean> {
  try {
    const file = await open(resolve(cwd, path));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1_000), 0, 1_000, 0);
      return /"schema"\s*:\s*"otel-eval\/report\//.test(buffer.toString('utf8', 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

function jsonText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function whole(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('expected a whole number above 0');
}
