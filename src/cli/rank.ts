import { type Command, InvalidArgumentError } from 'commander';
import { type ToolRun, toolRuns } from '../faults/economics/failing-runs.ts';
import { type RankedTool, rankTools } from '../faults/economics/rank-tools.ts';
import { displayName } from '../trace/display-name.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { eachRun } from './read-runs.ts';
import { textTable } from './show/text-table.ts';
import { describeOutput, describeSource } from './source-options.ts';
import { withTraces } from './with-traces.ts';

type Effects = Readonly<Record<string, 'read' | 'write'>>;

export const rankCommand: CommandModule = {
  describe(command: Command): void {
    describeSource(command);
    command
      .option('--effect <tool=read|write>', 'what a tool does, where the trace does not say (repeatable)', effect)
      .option('--json', 'the ranking as JSON');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Which tool's failures cost most: failure rate × tokens of a failing run, tools that change something first.

Examples:
  otel-eval rank --input traces/
  otel-eval rank --trace-source tempo --url http://tempo:3200 --since 14d --effect search_docs=read`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const { options } = invocation;
    const runs: ToolRun[] = [];
    return withTraces(invocation, context, async (collection, settings) => {
      await eachRun(collection, settings, (run) => runs.push(...toolRuns(run)));
      const ranked = rankTools(runs, (options['effect'] as Effects | undefined) ?? {});
      await context.write(options['json'] === true ? json(ranked) : text(ranked, context.columns));
      return ranked.length === 0 ? 4 : 0;
    });
  },
};

function effect(value: string, before: Effects = {}): Effects {
  const [, tool, word] = /^(.+)=(read|write)$/.exec(value) ?? [];
  if (tool === undefined) throw new InvalidArgumentError('expected TOOL=read or TOOL=write');
  return { ...before, [tool]: word as 'read' | 'write' };
}

function json(tools: readonly RankedTool[]): string {
  const shown = tools.map((each) => ({ ...each, tool: displayName(each.tool) }));
  return `${JSON.stringify({ schema: 'otel-eval/rank/v1', tools: shown }, null, 2)}\n`;
}

function text(tools: readonly RankedTool[], columns: number): string {
  if (tools.length === 0) return 'no tool was called in these traces\n';
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const rows = tools.map(({ tool, effect: does, runs, failureRate, lower, upper, tokensPerFailingRun, score }) => [
    displayName(tool),
    does,
    `${percent(failureRate)} of ${runs} (${percent(lower)}–${percent(upper)})`,
    tokensPerFailingRun === null ? 'unknown' : String(Math.round(tokensPerFailingRun)),
    score === null ? 'unknown' : score.toFixed(1),
  ]);
  return `${textTable(['tool', 'effect', 'failing runs', 'tokens each', 'score'], rows, { columns, cut: 0 }).join('\n')}\n`;
}
