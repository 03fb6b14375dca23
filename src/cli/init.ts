import { access, mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { exampleAgent } from './init/example-agent.ts';
import { exampleSuite } from './init/example-suite.ts';
import { describeOutput } from './source-options.ts';

const files: Readonly<Record<string, string>> = {
  'otel-eval.suite.yaml': exampleSuite,
  'example-agent.mjs': exampleAgent,
};

export const initCommand: CommandModule = {
  describe(command: Command): void {
    command.argument('[folder]', 'where to write (default: here)');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval init                                writes ${Object.keys(files).join(' and ')}
  node example-agent.mjs                        a run of the example
  otel-eval check otel-eval.suite.yaml          judges it`,
    );
  },

  async run({ args, options }: Invocation, context: Context): Promise<ExitCode> {
    const folder = resolve(context.cwd, args[0] ?? '.');
    const paths = Object.keys(files).map((name) => join(folder, name));
    const shown = paths.map((path) => relative(context.cwd, path));
    for (const [i, path] of paths.entries()) {
      if (await exists(path))
        throw new OtelEvalError('OTEL_EVAL_IO', `${shown[i]} is already here and was left as it is`);
    }
    try {
      await mkdir(folder, { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { flag: 'wx' });
    } catch (cause) {
      const { code = '' } = cause as NodeJS.ErrnoException;
      throw new OtelEvalError('OTEL_EVAL_IO', `cannot write into ${relative(context.cwd, folder) || '.'}: ${code}`, {
        cause,
      });
    }
    const enter = args[0] === undefined ? '' : `cd ${args[0]} && `;
    const next = `\n  ${enter}node example-agent.mjs && otel-eval check otel-eval.suite.yaml\n`;
    await context.write(`wrote ${shown.join(', ')}\n${options['quiet'] === true ? '' : next}`);
    return 0;
  },
};

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
