import type { Run, Step, Usage } from '../../agent/run.ts';
import { seldomShown } from '../../agent/visibility.ts';
import { durationText } from '../../report/duration-text.ts';
import type { Palette } from '../../report/palette.ts';
import { spanTree } from '../../report/span-tree.ts';
import { treeLines } from '../../report/tree-lines.ts';
import { visibleText } from '../../report/visible-text.ts';
import { displayName } from '../../trace/display-name.ts';
import { chosenPalette } from '../colour-choice.ts';
import type { Showing, ShowingOptions } from './showing.ts';
import { textTable } from './text-table.ts';
import { counted, problemLines } from './trace-heading.ts';

interface Layout {
  readonly columns: number;
  readonly palette: Palette;
  readonly durations: boolean;
}

/** What each run did, step by step; a run in which no step is known shows as its spans. */
export function showRun({ context, options }: ShowingOptions): Showing {
  const layout = {
    columns: context.columns,
    palette: chosenPalette(options, context),
    durations: options['deterministic'] !== true,
  };
  const blocks: string[] = [];
  return {
    addTraces: () => {},
    addRuns: (runs) => {
      blocks.push(...runs.map((run) => runLines(run, layout).join('\n')));
    },
    finish: (inputs) => {
      const problems = problemLines(inputs).map(visibleText);
      return [...blocks, ...(problems.length === 0 ? [] : [problems.join('\n')])]
        .map((block) => `${block}\n`)
        .join('\n');
    },
  };
}

function runLines(run: Run, layout: Layout): string[] {
  const spans = run.traces.reduce((sum, trace) => sum + trace.spans.length, 0);
  const name = run.runId ?? run.conversationId ?? run.traces[0]?.traceId ?? '';
  const agent = run.agent === null ? '' : `  agent ${displayName(run.agent)}`;
  const size = `${counted(run.traces.length, 'trace')}, ${counted(spans, 'span')}`;
  const heading = layout.palette.strong(visibleText(`run ${displayName(name)}${agent}`));
  return [
    `${heading}  ${layout.palette.dim(`${size}, told apart by ${run.boundary}`)}`,
    ...(run.steps.length > 0 ? stepLines(run, layout) : treesOf(run, layout)),
    ...closing(run).map((line) => `  ${visibleText(line)}`),
  ];
}

function stepLines({ steps }: Run, { columns, durations }: Layout): string[] {
  const agents = new Set(steps.map(({ agent }) => agent));
  const rows = steps.map((step, i) => {
    const by = agents.size > 1 && step.agent !== null ? [`by ${displayName(step.agent)}`] : [];
    return [String(i + 1), step.kind, ...stepCells(step, durations, by)].map(visibleText);
  });
  return textTable(['#', 'STEP', 'NAME', 'OUTCOME', 'TOOK', 'MORE'], rows, { columns: columns - 2, cut: 2 }).map(
    (line) => `  ${line}`,
  );
}

function stepCells(step: Step, durations: boolean, by: readonly string[]): string[] {
  const { name, outcome, startUnixNano, endUnixNano, toolCall, modelCall } = step;
  const took =
    durations && startUnixNano !== undefined && endUnixNano !== undefined && endUnixNano >= startUnixNano
      ? durationText(Number(endUnixNano - startUnixNano) / 1e6)
      : '-';
  const more = [
    ...(toolCall?.attempt !== undefined && toolCall.attempt !== null && toolCall.attempt > 1
      ? [`attempt ${toolCall.attempt}`]
      : []),
    ...(toolCall?.parallelGroup !== undefined && toolCall.parallelGroup !== null
      ? [`parallel ${toolCall.parallelGroup}`]
      : []),
    ...(modelCall?.usage ? [usageText(modelCall.usage)] : []),
    ...(modelCall?.finish ? [displayName(modelCall.finish)] : []),
    ...by,
  ];
  return [name === null ? '(not told)' : displayName(name), outcome, took, more.join(', ')];
}

function treesOf({ traces }: Run, { columns, palette, durations }: Layout): string[] {
  return [
    '  no step of an agent was recognised in these spans:',
    ...traces.flatMap((trace) => treeLines(spanTree(trace, { durations }), { columns, palette, indent: 2 })),
  ];
}

/** What was asked for and not run, the sum of tokens, and what this trace cannot tell. */
function closing(run: Run): string[] {
  const asked = run.requestedNotRun.map(({ name }) => (name === null ? '(not told)' : displayName(name)));
  // What hardly any instrumentation shows would stand under every run.
  const hidden = Object.entries(run.visibility).filter(([fact, sight]) => sight !== 'shown' && !(fact in seldomShown));
  const words = hidden.map(([fact, sight]) => (sight === 'partly' ? `${spaced(fact)} (in part)` : spaced(fact)));
  return [
    ...(asked.length === 0 ? [] : [`asked for and not run: ${asked.join(', ')}`]),
    ...(run.usage.coverage === 'none'
      ? []
      : [`tokens: ${usageText(run.usage)}${run.usage.coverage === 'part' ? ' (in part)' : ''}`]),
    ...run.remarks,
    ...(run.steps.length === 0 || words.length === 0 ? [] : [`cannot be seen here: ${words.join(', ')}`]),
  ];
}

function usageText({ input, output }: Usage): string {
  return `${input ?? '?'} in, ${output ?? '?'} out`;
}

/** `failedToolCalls` → `failed tool calls`. */
function spaced(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
