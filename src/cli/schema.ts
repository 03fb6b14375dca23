import type { Command } from 'commander';
import { z } from 'zod';
import { assertions } from '../../assertions/index.ts';
import { reportSchema } from '../report/report-schema.ts';
import { suiteJsonSchema } from '../suite/suite-json-schema.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { describeOutput } from './source-options.ts';

export const schemaCommand: CommandModule = {
  describe(command: Command): void {
    command.addArgument(command.createArgument('[what]', 'suite (default) or report').choices(['suite', 'report']));
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval schema > otel-eval.schema.json        then, as the first line of a suite:
                                                  # yaml-language-server: $schema=otel-eval.schema.json
  otel-eval schema report                         what --json writes`,
    );
  },

  async run({ args }: Invocation, context: Context): Promise<ExitCode> {
    const schema = args[0] === 'report' ? z.toJSONSchema(reportSchema) : suiteJsonSchema(assertions);
    await context.write(`${JSON.stringify(schema, null, 2)}\n`);
    return 0;
  },
};
