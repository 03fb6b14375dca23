import { type Command, InvalidArgumentError } from 'commander';
import {
  type AttemptBudget,
  budgetChange,
  budgetFromCost,
  budgetFromLatency,
} from '../faults/economics/attempt-budget.ts';
import { type AttemptRow, attemptTable } from '../faults/economics/attempt-model.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { textTable } from './show/text-table.ts';
import { describeOutput } from './source-options.ts';

type Options = Invocation['options'];

export const budgetCommand: CommandModule = {
  describe(command: Command): void {
    command
      .option(
        '--source <text>',
        'who demands it: a requirement, or a pilot with date and number of runs; not "observed"',
      )
      .option('--limit <seconds>', 'what a run may take', number)
      .option('--happy-path <seconds>', 'what it takes without a failure', number)
      .option('--elapsed <list>', 'measured seconds up to each attempt: 2.45,4.9,…', numbers)
      .option('--beyond-first', 'the first attempt is a part of the happy path')
      .option('--max-cost <dollars>', 'what a run may cost', number)
      .option('--first-input <tokens>', 'input of the first attempt', number)
      .option('--error-tokens <tokens>', 'what each failed attempt adds to the transcript', number)
      .option('--outputs <list>', 'output tokens of each attempt: 90,90,…', numbers)
      .option('--input-price <dollars>', 'a million input tokens', number)
      .option('--output-price <dollars>', 'a million output tokens', number)
      .option('--was <n>', 'the budget before: the change is recorded with what it costs', number)
      .option('--json', 'the bound as JSON');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
A bound on attempts from outside: from a latency or from a cost, with where it comes from.

Examples:
  otel-eval budget --limit 20 --happy-path 7 --elapsed 2.45,4.9,7.25,9.6,12.1,14.6 --source "SLO of 2026-11"
  otel-eval budget --max-cost 0.05 --first-input 1850 --error-tokens 490 --outputs 90,90,90,90,157 \\
    --input-price 3 --output-price 15 --source "budget of the team, 2026-11"`,
    );
  },

  async run({ options }: Invocation, context: Context): Promise<ExitCode> {
    const table = tableOf(options);
    const budget = budgetOf(options, table);
    const elapsedSeconds = options['elapsed'] as readonly number[] | undefined;
    const was = options['was'] as number | undefined;
    const ground = {
      ...(table === undefined ? {} : { table }),
      ...(elapsedSeconds === undefined ? {} : { elapsedSeconds }),
    };
    const change = was === undefined ? null : budgetChange(was, budget, ground);
    const document = { schema: 'otel-eval/budget/v1', budget, change, table: table ?? null };
    await context.write(
      options['json'] === true ? `${JSON.stringify(document, null, 2)}\n` : text(document, context.columns),
    );
    return 0;
  },
};

function tableOf(options: Options): readonly AttemptRow[] | undefined {
  const outputs = options['outputs'] as readonly number[] | undefined;
  if (outputs === undefined) return undefined;
  const wanted = (key: string, flag: string): number => {
    const value = options[key];
    if (typeof value === 'number') return value;
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected ${flag} with --outputs, got none`);
  };
  return attemptTable({
    firstInput: wanted('firstInput', '--first-input'),
    errorTokens: wanted('errorTokens', '--error-tokens'),
    outputs,
    prices: { input: wanted('inputPrice', '--input-price'), output: wanted('outputPrice', '--output-price') },
  });
}

function budgetOf(options: Options, table: readonly AttemptRow[] | undefined): AttemptBudget {
  const source = (options['source'] as string | undefined) ?? '';
  const { limit, happyPath, elapsed, maxCost } = options as Readonly<Record<string, unknown>>;
  if (typeof maxCost === 'number' && table !== undefined) return budgetFromCost({ maxCost, table, source });
  if (typeof limit === 'number' && typeof happyPath === 'number' && Array.isArray(elapsed)) {
    const beyondFirst = options['beyondFirst'] === true;
    return budgetFromLatency({
      limitSeconds: limit,
      happyPathSeconds: happyPath,
      elapsedSeconds: elapsed,
      source,
      beyondFirst,
    });
  }
  throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected a latency or a cost to derive the bound from, got neither', {
    hint: 'give --limit, --happy-path and --elapsed, or --max-cost, --first-input, --error-tokens, --outputs and prices',
  });
}

interface Told {
  readonly budget: AttemptBudget;
  readonly change: ReturnType<typeof budgetChange> | null;
  readonly table: readonly AttemptRow[] | null;
}

function text({ budget, change, table }: Told, columns: number): string {
  const lines = [`${budget.max} attempts (${budget.source}): ${budget.formula}`];
  if (change !== null) {
    const cost = change.cost === null ? 'cost unknown' : `$${change.cost.toFixed(4)}`;
    const seconds = change.seconds === null ? 'time unknown' : `${change.seconds} s`;
    lines.push(`changed from ${change.from} to ${change.to} on purpose: ${cost} and ${seconds} a failing run`);
  }
  if (table === null) return `${lines.join('\n')}\n`;
  const rows = table.map(({ attempt, input, cumulativeInput, output, cost }) =>
    [attempt, input, cumulativeInput, output, `$${cost.toFixed(4)}`].map(String),
  );
  return `${lines.join('\n')}\n\n${textTable(['attempt', 'input', 'in all', 'output', 'cost in all'], rows, { columns, cut: 0 }).join('\n')}\n`;
}

function number(value: string): number {
  const read = Number(value);
  if (value.trim() !== '' && Number.isFinite(read) && read >= 0) return read;
  throw new InvalidArgumentError('expected a number of 0 or more');
}

function numbers(value: string): readonly number[] {
  return value.split(',').map(number);
}
