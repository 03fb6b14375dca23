import type { Command } from 'commander';
import { assertions } from '../../assertions/index.ts';
import { readSuite } from '../suite/load-suite.ts';
import { problemText } from '../suite/suite-problem.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { describeOutput } from './source-options.ts';

export const validateCommand: CommandModule = {
  describe(command: Command): void {
    command.argument('<suite>', 'suite in YAML, JSON or TypeScript');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval validate suite.yaml        every mistake, with line and column

Exit codes: 0 valid, 2 not.`,
    );
  },

  async run({ args, options }: Invocation, context: Context): Promise<ExitCode> {
    const [path = ''] = args;
    const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
    const { value, problems } = await readSuite(path, registry, context.cwd);
    if (value === undefined) {
      for (const problem of problems) context.note(problemText(path, problem));
      return 2;
    }
    const checks = value.scenarios.reduce((sum, scenario) => sum + scenario.assertions.length, 0);
    const size = `${plural(value.scenarios.length, 'scenario')}, ${plural(checks, 'assertion')}`;
    if (options['quiet'] !== true) await context.write(`${path}: valid, ${size}\n`);
    return 0;
  },
};

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
