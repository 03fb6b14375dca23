import type { Command } from 'commander';
import type { Run } from '../agent/run.ts';
import { createRunReader } from '../agent/run-reader.ts';
import { visibleText } from '../report/visible-text.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Collection } from '../trace/trace-set.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { explainSpan } from './explain/explain-span.ts';
import { describeOutput, describeSource } from './source-options.ts';
import type { SourceSettings } from './source-settings.ts';
import { withTraces } from './with-traces.ts';

export const explainCommand: CommandModule = {
  describe(command: Command): void {
    command.argument('<span>', 'span id, or the first digits of one');
    describeSource(command);
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval explain 00f067aa0ba902b7 --input traces.jsonl      how it was read, and from which keys
  otel-eval explain 00f0 --input traces.jsonl                  the first digits do, where they are enough

Exit codes: 0 explained, 2 not a trace or no such span, 4 no span at all.`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const prefix = spanPrefix(invocation.args[0] ?? '');
    return withTraces(invocation, context, async (collection, settings) => {
      const { blocks, spans } = await find(prefix, collection, settings);
      if (spans === 0) {
        context.note(`otel-eval: ${collection.source.address}: read, and it holds no span`);
        return 4;
      }
      if (blocks.length === 0) {
        throw new OtelEvalError('OTEL_EVAL_USAGE', `none of ${spans} spans has an id that begins with ${prefix}`, {
          hint: '"otel-eval show --as table" lists them',
        });
      }
      await context.write(`${blocks.map((lines) => lines.map(visibleText).join('\n')).join('\n\n')}\n`);
      return 0;
    });
  },
};

function spanPrefix(text: string): string {
  if (/^[0-9a-f]{1,16}$/i.test(text)) return text.toLowerCase();
  throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected a span id of up to 16 hex digits, or its first digits');
}

/** A repeated span of another trace is explained too; so is a span that several runs share. */
async function find(
  prefix: string,
  collection: Collection,
  { oneRun, instrumented, traceIds }: SourceSettings,
): Promise<{ readonly blocks: string[][]; readonly spans: number }> {
  const reader = createRunReader({ oneRun, instrumented });
  const wanted = new Set(traceIds.map((id) => id.toLowerCase()));
  const blocks: string[][] = [];
  let spans = 0;
  const explainIn = (runs: readonly Run[]): void => {
    for (const run of runs) {
      for (const trace of run.traces.filter(({ traceId }) => wanted.size === 0 || wanted.has(traceId))) {
        const found = trace.spans.filter(({ spanId }) => spanId.startsWith(prefix));
        blocks.push(...found.map((span) => explainSpan(span, trace, run)));
      }
    }
  };
  for await (const group of collection.groups()) {
    for (const { trace } of group) spans += trace.spans.length;
    explainIn(reader.add(group));
  }
  explainIn(reader.end());
  return { blocks, spans };
}
