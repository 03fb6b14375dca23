import type { Span } from '../span.ts';
import type { Trace } from '../trace.ts';

/**
 * The shape of a trace without a word of content: one line for each span, by depth, kind and operation. It is the same
 * in metadata mode and in content mode.
 *
 * @example
 * skeletonOf(trace); // ['internal invoke_agent', '  client chat', '  internal execute_tool']
 */
export function skeletonOf(trace: Trace): readonly string[] {
  const lines: string[] = [];
  const seen = new Set<Span>();
  const visit = (span: Span, depth: number): void => {
    if (seen.has(span)) return;
    seen.add(span);
    lines.push(`${'  '.repeat(Math.min(depth, 50))}${span.kind} ${operationOf(span)}`);
    for (const child of trace.childrenOf(span.spanId)) visit(child, depth + 1);
  };
  for (const root of trace.roots) visit(root, 0);
  for (const { spanId } of trace.orphans) {
    const span = trace.spansById.get(spanId);
    if (span !== undefined) visit(span, 0);
  }
  return lines;
}

function operationOf(span: Span): string {
  const operation = span.attributes.get('gen_ai.operation.name');
  return typeof operation === 'string' && /^\w{1,40}$/.test(operation) ? operation : 'span';
}
