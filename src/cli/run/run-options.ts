import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunChoice } from '../../suite/run/run-plan.ts';
import { parseShard, type Shard } from '../../suite/trial/shard.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { duration, oneOf, repeatable } from '../option-table.ts';
import { describeRemoteSource } from '../remote-source-options.ts';
import { describeReports } from '../report-options.ts';

/** What stands behind `otel-eval run`, beside what every command has. */
export function describeRun(command: Command): void {
  command.argument('<suite>', 'suite in YAML, JSON or TypeScript');
  command.option('--profile <name>', 'a named set of resources of the suite');
  repeatable(command, '--tag <tag>', 'only scenarios with all of these tags');
  repeatable(command, '--scenario <name>', 'only this scenario');
  repeatable(
    command,
    '--slice <measure:bounds>',
    'pass rate by a measure, as tool_calls:1,2 or trajectory_length:5,10',
  );
  whole(command, '--trial <n>', 'only this trial of each scenario');
  whole(command, '--trials <n>', 'so many trials, whatever the suite says');
  whole(command, '--concurrency <n>', 'trials at once (default: 4)');
  command.addOption(new Option('--seed <n>', 'seed of the run (default: 1)').argParser(integer(0)));
  command
    .option('--shard <i/n>', 'only this part of all trials; put together with "otel-eval merge"')
    .option('--bail', 'start no trial once a scenario has failed')
    .option('--resume <file>', 'journal of finished trials: created, or gone on with')
    .option('--plan', 'only say what would be run, and what it would cost')
    .option('--lint', 'with --plan: try each row of the fault plan on six agents by script, as text or --json')
    .option('--pilot <file>', 'JSON report of earlier trials: with --plan, for time and tokens')
    .option(
      '--own-trace <file|url>',
      'spans of this run of otel-eval itself: OTLP/JSON lines, or an OTLP/HTTP endpoint',
    )
    .option('--artifact <file>', 'what is tested: its SHA-256 stands in the report');
  oneOf(command, '--trace-source <kind>', {
    words: ['otlp', 'memory', 'file', 'tempo', 'jaeger'],
    description: 'where the traces are (default: a receiver, or this process for a function)',
  });
  command.option('--listen <host:port>', 'address of the receiver for a target that runs on');
  repeatable(command, '--input <path>', 'source file: what the target writes');
  describeRemoteSource(command);
  oneOf(command, '--completeness <state>', {
    words: ['proven', 'settled'],
    description: 'what is complete enough on a remote source (default: proven)',
  });
  duration(command, '--deadline <duration>', 'wait so long at most for the trace of a trial');
  command
    .option('--digest-key-env <name>', 'variable that holds the key of digests (default: OTEL_EVAL_DIGEST_KEY)')
    .option('--config <file>', 'configuration (default: otel-eval.config.ts, .js, .yaml or .json, found upwards)');
  describeReports(command);
}

type Options = Readonly<Record<string, unknown>>;

export function runChoice(options: Options): RunChoice {
  const shard = options['shard'] as string | undefined;
  const trial = options['trial'] as number | undefined;
  if (shard !== undefined && trial !== undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected --trial or --shard, got both');
  }
  return {
    profile: options['profile'] as string | undefined,
    tags: (options['tag'] as readonly string[] | undefined) ?? [],
    scenarios: (options['scenario'] as readonly string[] | undefined) ?? [],
    trial,
    trials: options['trials'] as number | undefined,
    seed: (options['seed'] as number | undefined) ?? 1,
    shard: shard === undefined ? undefined : (parseShard(shard) as Shard),
  };
}

function whole(command: Command, flags: string, description: string): void {
  command.addOption(new Option(flags, description).argParser(integer(1)));
}

function integer(lowest: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number >= lowest) return number;
    throw new InvalidArgumentError(`expected a whole number from ${lowest}`);
  };
}
