import type { Run, Step } from '../agent/run.ts';
import type { Span } from '../trace/span.ts';

/** What each span stands for in its run; `undefined` for one that is part of no step. */
export function stepKinds({ steps }: Run): (span: Span) => Step['kind'] | undefined {
  const kinds = new Map<Span, Step['kind']>();
  for (const { kind, spans } of steps) {
    for (const span of spans) if (!kinds.has(span)) kinds.set(span, kind);
  }
  return (span) => kinds.get(span);
}
