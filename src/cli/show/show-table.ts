import { durationText } from '../../report/duration-text.ts';
import { visibleText } from '../../report/visible-text.ts';
import { displayName } from '../../trace/display-name.ts';
import type { Span } from '../../trace/span.ts';
import type { Showing, ShowingOptions } from './showing.ts';
import { textTable } from './text-table.ts';
import { problemLines, traceHeading } from './trace-heading.ts';

const heading = ['SPAN', 'PARENT', 'NAME', 'KIND', 'STATUS', 'DURATION', 'SERVICE'];

/** One line a span, for eyes and for `grep`. */
export function showTable({ context, options }: ShowingOptions): Showing {
  const durations = options['deterministic'] !== true;
  const blocks: string[] = [];
  return {
    addTraces: (group) => {
      for (const collected of group) {
        const rows = collected.trace.spans.map((span) => row(span, durations).map(visibleText));
        blocks.push(
          [
            visibleText(traceHeading(collected)),
            ...textTable(heading, rows, { columns: context.columns, cut: 2 }),
          ].join('\n'),
        );
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

function row(span: Span, durations: boolean): string[] {
  const { startUnixNano, endUnixNano, status, kind, resource } = span;
  const service = resource.attributes.get('service.name');
  const ended = endUnixNano === undefined ? 'not ended' : durationText(Number(endUnixNano - startUnixNano) / 1e6);
  return [
    span.spanId,
    span.parentSpanId ?? '-',
    displayName(span.name),
    kind,
    status.code,
    durations ? ended : '-',
    typeof service === 'string' ? displayName(service) : '-',
  ];
}
