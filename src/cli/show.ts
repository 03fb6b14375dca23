import type { Command } from 'commander';
import type { Run } from '../agent/run.ts';
import { createRunReader } from '../agent/run-reader.ts';
import { isSelected } from '../suite/run-selection.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Collection } from '../trace/trace-set.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import { digestFrom } from './digest-key.ts';
import type { ExitCode } from './exit-code.ts';
import { oneOf } from './option-table.ts';
import type { Showing } from './show/showing.ts';
import { type ShowingForm, showings } from './show/showings.ts';
import { describeContent, describeOutput, describeSource } from './source-options.ts';
import type { SourceSettings } from './source-settings.ts';
import { withTracesUntold } from './with-traces.ts';

export const showCommand: CommandModule = {
  describe(command: Command): void {
    describeSource(command);
    oneOf(command, '--as <form>', { words: Object.keys(showings), description: 'run (default), tree, table or json' });
    command.option('--deterministic', 'leave durations out');
    describeContent(command);
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval show --input traces.jsonl                  what the agent did, step by step
  otel-eval show --input traces.jsonl --as tree        every span, as a tree
  otel-eval show --input traces/ --as json             for a program: ids, counts and runs, no content
  cat traces.jsonl | otel-eval show --input - --as table`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const { options } = invocation;
    const form = (options['as'] as ShowingForm | undefined) ?? (options['showContent'] === true ? 'tree' : 'run');
    assertContentForm(form, options);
    const showing = showings[form]({ digest: digestFrom(options, context), context, options });
    return withTracesUntold(invocation, context, async (collection, settings) => {
      const spans = await readInto(showing, collection, settings);
      await context.write(showing.finish(collection.inputs()));
      if (spans > 0) return 0;
      context.note(`otel-eval: ${collection.source.address}: read, and it holds no span`);
      return 4;
    });
  },
};

/** Hands over trace by trace; tells how many spans there were. */
async function readInto(showing: Showing, collection: Collection, settings: SourceSettings): Promise<number> {
  const reader = createRunReader({ oneRun: settings.oneRun, instrumented: settings.instrumented });
  const wanted = new Set(settings.traceIds.map((id) => id.toLowerCase()));
  let spans = 0;
  for await (const group of collection.groups()) {
    if (wanted.size > 0 && !group.some(({ trace }) => wanted.has(trace.traceId))) continue;
    for (const { trace } of group) spans += trace.spans.length;
    showing.addTraces(group);
    showing.addRuns(selected(reader.add(group), settings));
  }
  showing.addRuns(selected(reader.end(), settings));
  return spans;
}

function selected(runs: readonly Run[], { selection }: SourceSettings): readonly Run[] {
  return runs.filter((run) => isSelected(run, selection));
}

function assertContentForm(form: ShowingForm, options: Invocation['options']): void {
  if (options['showContent'] !== true || form === 'tree') return;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `--show-content goes with --as tree, not with --as ${form}`);
}
