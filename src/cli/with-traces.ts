import type { Collection } from '../trace/trace-set.ts';
import type { Invocation } from './command.ts';
import { loadConfig } from './config-file.ts';
import type { Context } from './context.ts';
import { withCollection } from './open-collector.ts';
import { Progress } from './progress.ts';
import { type SourceSettings, sourceSettings } from './source-settings.ts';

/**
 * Hands the traces that a command is to read, and not to judge, to `use`. A command behind `--` that fails is an error.
 */
export async function withTraces<T>(
  { options, childCommand }: Invocation,
  context: Context,
  use: (collection: Collection, settings: SourceSettings) => Promise<T>,
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
