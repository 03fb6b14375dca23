import { contentLines } from '../../report/content-lines.ts';
import { spanTree } from '../../report/span-tree.ts';
import { treeLines } from '../../report/tree-lines.ts';
import { visibleText } from '../../report/visible-text.ts';
import { chosenPalette } from '../colour-choice.ts';
import { wantsContent } from '../content-choice.ts';
import type { Showing, ShowingOptions } from './showing.ts';
import { problemLines, traceHeading } from './trace-heading.ts';

/** Every span of every trace. */
export function showTree({ context, options }: ShowingOptions): Showing {
  const palette = chosenPalette(options, context);
  const durations = options['deterministic'] !== true;
  const withContent = wantsContent(options, context);
  const blocks: string[] = [];
  return {
    addTraces: (group) => {
      for (const collected of group) {
        const lines = treeLines(spanTree(collected.trace, { durations }), {
          columns: context.columns,
          palette,
          indent: 0,
        });
        const content = withContent ? collected.trace.spans.flatMap((span) => ['', ...contentLines(span)]) : [];
        blocks.push([palette.strong(visibleText(traceHeading(collected))), ...lines, ...content].join('\n'));
      }
    },
    addRuns: () => {},
    finish: (inputs) => {
      const problems = problemLines(inputs).map(visibleText);
      return [...blocks, ...(problems.length === 0 ? [] : [problems.join('\n')])]
        .map((block) => `${block}\n`)
        .join('\n');
    },
  };
}
