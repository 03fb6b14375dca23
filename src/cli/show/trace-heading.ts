import type { CollectedTrace } from '../../trace/trace-set.ts';

/** `trace a1b2…  5 spans, settled`, and what else a reader should know before the spans. */
export function traceHeading({ trace, completeness }: CollectedTrace): string {
  const { spans, orphans, duplicates, cycles, roots } = trace;
  const facts = [
    counted(spans.length, 'span'),
    ...(roots.length === 1 ? [] : [counted(roots.length, 'root')]),
    ...(orphans.length === 0 ? [] : [counted(orphans.length, 'orphan')]),
    ...(duplicates.length === 0 ? [] : [counted(duplicates.length, 'repeated id')]),
    ...(cycles.length === 0 ? [] : [counted(cycles.length, 'cycle')]),
    completeness.state,
  ];
  return `trace ${trace.traceId}  ${facts.join(', ')}`;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Problems of the inputs, below everything else. */
export function problemLines(
  inputs: readonly { input: string; problems: readonly { message: string; at: string }[] }[],
): string[] {
  const lines = inputs.flatMap(({ input, problems }) =>
    problems.map(({ message, at }) => `  ${input}: ${message}${at === '' ? '' : ` (${at})`}`),
  );
  const shown = lines.slice(0, 20);
  const more = lines.length > shown.length ? [`  … ${lines.length - shown.length} more`] : [];
  return lines.length === 0 ? [] : [`${counted(lines.length, 'problem')} in the input:`, ...shown, ...more];
}
