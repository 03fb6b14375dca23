import type { Span } from './span.ts';
import { spanText } from './span-text.ts';
import type { Trace } from './trace.ts';

/** More lines than this help nobody who debugs. */
const mostLines = 200;

/** A trace as an indented tree, for debugging; roots first, then orphans and cycles. */
export function traceText(trace: Trace): string {
  const { spans, roots, orphans, cycles } = trace;
  const head = `Trace ${trace.traceId}: ${count(spans.length, 'span')}, ${count(roots.length, 'root')}`;
  const odd = [
    ...(orphans.length === 0 ? [] : [count(orphans.length, 'orphan')]),
    ...(cycles.length === 0 ? [] : [count(cycles.length, 'cycle')]),
  ];
  const lines = treeLines(trace);
  const shown = lines.slice(0, mostLines);
  const more = lines.length > mostLines ? [`  … ${lines.length - mostLines} more`] : [];
  return [[head, ...odd].join(', '), ...shown, ...more].join('\n');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function treeLines(trace: Trace): string[] {
  const lines: string[] = [];
  const seen = new Set<string>();
  const orphans = new Set(trace.orphans.map(({ spanId }) => spanId));
  const stack = [...tops(trace)].map((span) => ({ span, depth: 1 })).reverse();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { span, depth } = at;
    if (seen.has(span.spanId)) continue;
    seen.add(span.spanId);
    const note = orphans.has(span.spanId) ? ` (parent ${span.parentSpanId} missing)` : '';
    lines.push(`${'  '.repeat(Math.min(depth, 20))}${spanText(span)}${note}`);
    for (const child of trace.childrenOf(span.spanId).toReversed()) stack.push({ span: child, depth: depth + 1 });
  }
  return lines;
}

function* tops(trace: Trace): Generator<Span> {
  yield* trace.roots;
  const ids = [...trace.orphans.map(({ spanId }) => spanId), ...trace.cycles.flatMap((cycle) => cycle.slice(0, 1))];
  for (const id of ids) {
    const span = trace.spansById.get(id);
    if (span !== undefined) yield span;
  }
}
