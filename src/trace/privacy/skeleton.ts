import type { Span } from '../span.ts';
import type { Trace } from '../trace.ts';

interface Node {
  readonly line: string;
  readonly children: readonly Node[];
}

/**
 * The shape of a trace without a word of content: one line for each span, by depth, kind and operation; siblings by their
 * shape, since parallel ones have no order. It is the same in metadata mode and in content mode.
 *
 * @example
 * skeletonOf(trace); // ['internal invoke_agent', '  client chat', '  internal execute_tool']
 */
export function skeletonOf(trace: Trace): readonly string[] {
  const seen = new Set<Span>();
  const nodesOf = (spans: readonly Span[]): readonly Node[] =>
    spans
      .flatMap((span) => {
        if (seen.has(span)) return [];
        seen.add(span);
        return [{ line: `${span.kind} ${operationOf(span)}`, children: nodesOf(trace.childrenOf(span.spanId)) }];
      })
      .sort(byShape);
  const orphans = trace.orphans.flatMap(({ spanId }) => trace.spansById.get(spanId) ?? []);
  return linesOf([...nodesOf(trace.roots), ...nodesOf(orphans)]);
}

function byShape(a: Node, b: Node): number {
  if (a.line !== b.line) return a.line < b.line ? -1 : 1;
  for (const [i, child] of a.children.entries()) {
    const other = b.children[i];
    if (other === undefined) break;
    const order = byShape(child, other);
    if (order !== 0) return order;
  }
  return a.children.length - b.children.length;
}

function linesOf(nodes: readonly Node[]): readonly string[] {
  const lines: string[] = [];
  const add = (node: Node, level: number): void => {
    lines.push(`${'  '.repeat(Math.min(level, 50))}${node.line}`);
    for (const child of node.children) add(child, level + 1);
  };
  for (const node of nodes) add(node, 0);
  return lines;
}

function operationOf(span: Span): string {
  const operation = span.attributes.get('gen_ai.operation.name');
  return typeof operation === 'string' && /^\w{1,40}$/.test(operation) ? operation : 'span';
}
