import { type Command, InvalidArgumentError } from 'commander';
import { RejectedCalls, type RejectedGroup } from '../faults/economics/rejected-calls.ts';
import { displayName } from '../trace/display-name.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { eachRun } from './read-runs.ts';
import { textTable } from './show/text-table.ts';
import { describeOutput, describeSource } from './source-options.ts';
import { withTraces } from './with-traces.ts';

/** How far a corpus goes. */
const caveats: readonly string[] = [
  'A corpus belongs to one model version and one population of users: renew it when either changes.',
  'It holds single bad calls: what it takes to undo several steps is not in it.',
];

const defaultTop = 20;
const old = 30;

export const corpusCommand: CommandModule = {
  describe(command: Command): void {
    describeSource(command);
    command
      .option('--top <n>', `groups to show (default: ${defaultTop})`, wholeNumber)
      .option('--json', 'the groups as JSON');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Calls that tools rejected, by tool and error code: what a test of recovery should be made of. Names and codes, no arguments.
Sources: ui_vs_enum (as people read it), entity_id (several ids, or of another kind), quantity_format, domain_precondition.

Examples:
  otel-eval corpus --trace-source tempo --url http://tempo:3200 --since 14d
  otel-eval corpus --input traces/ --json

${caveats.join('\n')}`,
    );
  },

  async run(invocation: Invocation, context: Context): Promise<ExitCode> {
    const { options } = invocation;
    const rejected = new RejectedCalls();
    return withTraces(invocation, context, async (collection, settings) => {
      await eachRun(collection, settings, (run) => rejected.add(run));
      const groups = rejected.top((options['top'] as number | undefined) ?? defaultTop, context.now());
      await context.write(
        options['json'] === true ? json(groups, rejected.calls) : text(groups, rejected.calls, context.columns),
      );
      return rejected.calls === 0 ? 4 : 0;
    });
  },
};

function wholeNumber(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('expected a whole number above 0');
}

function json(groups: readonly RejectedGroup[], calls: number): string {
  const shown = groups.map((group) => ({ ...group, tool: displayName(group.tool) }));
  return `${JSON.stringify({ schema: 'otel-eval/corpus/v1', calls, groups: shown, caveats }, null, 2)}\n`;
}

function text(groups: readonly RejectedGroup[], calls: number, columns: number): string {
  if (groups.length === 0) return `${calls} calls, none rejected\n`;
  const rows = groups.map(({ tool, code, calls: count, firstSeen, lastSeen, ageDays, pathological, sources }) => [
    displayName(tool),
    code,
    String(count),
    `${firstSeen} to ${lastSeen}${ageDays > old ? `, ${ageDays} days old` : ''}`,
    [
      ...Object.entries(sources).map(([source, times]) => `${times} ${source}`),
      ...Object.entries(pathological).map(([kind, times]) => `${times} ${kind}: tests the validator, not recovery`),
    ].join(', '),
  ]);
  const table = textTable(['tool', 'error', 'calls', 'seen', 'remarks'], rows, { columns, cut: 0 });
  return `${[...table, '', ...caveats].join('\n')}\n`;
}
