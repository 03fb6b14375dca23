import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';

/** What the user typed for one command, already split by commander. */
export interface Invocation {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** What stands behind `--`. */
  readonly childCommand: readonly string[];
}

/** One command, one file. `describe` declares arguments, options and examples; `run` does the work. */
export interface CommandModule {
  describe(command: Command): void;
  run(invocation: Invocation, context: Context): Promise<ExitCode>;
}
