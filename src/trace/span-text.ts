import { displayName } from './display-name.ts';
import type { Span } from './span.ts';

/** Node prints an object with this method by calling it. */
export const inspectSymbol: symbol = Symbol.for('nodejs.util.inspect.custom');

/** A span in one line, for debugging: name, kind, length, status and id; nothing that could be content. */
export function spanText(span: Span): string {
  const kind = span.kind === 'internal' || span.kind === 'unspecified' ? '' : ` (${span.kind})`;
  const status = span.status.code === 'error' ? ' ERROR' : '';
  return `${displayName(span.name)}${kind} ${lengthOf(span)}${status} ${span.spanId}`;
}

function lengthOf({ startUnixNano, endUnixNano }: Span): string {
  if (endUnixNano === undefined) return 'not ended';
  return `${Number((endUnixNano - startUnixNano) / 1_000n) / 1_000} ms`;
}
