import { type Command, InvalidArgumentError, Option } from 'commander';
import { assertions } from '../../assertions/index.ts';
import { parseSlice } from '../report/slices.ts';
import type { Suite } from '../suite/suite.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { judgeTraces } from './check/judge-traces.ts';
import { shardOf } from './check/shard.ts';
import { suiteToCheck } from './check/suite-to-check.ts';
import type { CommandModule, Invocation } from './command.ts';
import { loadConfig } from './config-file.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { oneOf, repeatable } from './option-table.ts';
import { describeReports } from './report-options.ts';
import { describeContent, describeOutput, describeSource } from './source-options.ts';

export const checkCommand: CommandModule = {
  describe(command: Command): void {
    command.argument('[suite]', 'suite in YAML, JSON or TypeScript');
    describeSource(command);
    repeatable(command, '--assert <name>', 'judge by this assertion: NAME, or NAME={json}');
    repeatable(command, '--access <file>', 'what "otel-eval access --json" wrote: evidence of TracePrivacyModes');
    repeatable(
      command,
      '--projection <kind=file>',
      'rows of another view of the runs (live, durable or ui), joined by ExecutionTraceJoined',
    );
    repeatable(command, '--scenario <name>', 'only this scenario of the suite');
    command.option('--shard <i/n>', 'only every n-th scenario, from the i-th');
    repeatable(
      command,
      '--slice <measure:bounds>',
      'pass rate by a measure, as tool_calls:1,2 or trajectory_length:5,10',
    );
    oneOf(command, '--completeness <state>', {
      words: ['proven', 'settled'],
      description: 'what is complete enough on a remote source (default: proven)',
    });
    command.addOption(
      new Option('--expect-exit <code>', 'exit code of the command that is a success (default: 0)').argParser(exitCode),
    );
    describeReports(command);
    describeContent(command);
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval check suite.yaml                                              the suite says where its traces are
  otel-eval check suite.yaml --input traces.jsonl --junit junit.xml       for CI
  otel-eval check --input traces.jsonl --assert ExecutionTraceJoined      no suite at all
  otel-eval check --input traces.jsonl --assert 'ToolCalled={"match":{"tool":"issue_refund"},"expect":{"exactly":1}}'
  otel-eval check suite.yaml --access access.json                         with proof of who can read the trace
  otel-eval check suite.yaml --projection durable=rows.jsonl --projection ui=ui.jsonl    joined with the trace
  otel-eval check suite.yaml --trace-source otlp -- npm run agent         run it, and judge what it sends

Exit codes: 0 passed, 1 failed, 2 error, 3 unavailable, 4 inconclusive.`,
    );
  },

  async run({ args, options, childCommand }: Invocation, context: Context): Promise<ExitCode> {
    const config = await loadConfig(options['config'] as string | undefined, context.cwd);
    const asserts = (options['assert'] as readonly string[] | undefined) ?? [];
    const path = args[0] ?? (asserts.length === 0 ? config.suite : undefined);
    const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
    const whole = await suiteToCheck({ path, asserts, registry, cwd: context.cwd });
    const named = onlyScenarios(whole, (options['scenario'] as readonly string[] | undefined) ?? []);
    const suite = shardOf(named, options['shard'] as string | undefined);
    const slices = ((options['slice'] as readonly string[] | undefined) ?? []).map(parseSlice);
    return judgeTraces(suite, { path, asserts, slices, config, options, childCommand }, context);
  },
};

function onlyScenarios(suite: Suite, names: readonly string[]): Suite {
  if (names.length === 0) return suite;
  const scenarios = suite.scenarios.filter(({ name }) => names.includes(name));
  const absent = names.find((name) => !suite.scenarios.some((scenario) => scenario.name === name));
  if (absent === undefined) return { ...suite, scenarios };
  const known = suite.scenarios.map(({ name }) => `"${name}"`).join(', ');
  throw new OtelEvalError('OTEL_EVAL_USAGE', `the suite has no scenario "${absent}"`, { hint: `it has ${known}` });
}

function exitCode(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) < 256) return Number(text);
  throw new InvalidArgumentError('expected a number from 0 to 255');
}
