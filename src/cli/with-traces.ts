import { visibleText } from '../report/visible-text.ts';
import type { Collection } from '../trace/trace-set.ts';
import type { Invocation } from './command.ts';
import { loadConfig } from './config-file.ts';
import type { Context } from './context.ts';
import { withCollection } from './open-collector.ts';
import { Progress } from './progress.ts';
import { problemLines } from './show/trace-heading.ts';
import { type SourceSettings, sourceSettings } from './source-settings.ts';

type Use<T> = (collection: Collection, settings: SourceSettings) => Promise<T>;

/**
 * Hands the traces that a command is to read, and not to judge, to `use`, and tells what of the inputs could not be read.
 * A command behind `--` that fails is an error.
 */
export async function withTraces<T>(invocation: Invocation, context: Context, use: Use<T>): Promise<T> {
  return withTracesUntold(invocation, context, async (collection, settings) => {
    const result = await use(collection, settings);
    for (const line of problemLines(collection.inputs())) context.note(visibleText(line));
    return result;
  });
}

/** The same for a command that itself shows the problems of the inputs. */
export async function withTracesUntold<T>(
  { options, childCommand }: Invocation,
  context: Context,
  use: Use<T>,
): Promise<T> {
  const config = await loadConfig(options['config'] as string | undefined, context.cwd);
  const settings = sourceSettings({ options, config, hasCommand: childCommand.length > 0 }, context);
  const live = { command: childCommand, expectedExit: 0 };
  const progress = new Progress(context, { quiet: options['quiet'] === true });
  return withCollection(settings, { context, live, progress }, async (collection, outcome) => {
    if (outcome?.failure !== undefined) throw outcome.failure;
    return use(collection, settings);
  });
}
