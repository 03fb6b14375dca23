import { sameSpan } from './same-span.ts';
import type { Span } from './span.ts';
import type { RepeatedSpan } from './trace.ts';

export interface UniqueSpans {
  /** One per id, in order of first appearance; of several rows the last counts. */
  readonly spans: readonly Span[];
  readonly duplicates: readonly RepeatedSpan[];
}

/** De-duplicates rows by span id and tells repeats from conflicts. */
export function uniqueSpans(rows: readonly Span[]): UniqueSpans {
  const positions = new Map<string, number>();
  const spans: Span[] = [];
  const repeats = new Map<string, { rows: number; same: boolean }>();
  for (const row of rows) {
    const position = positions.get(row.spanId);
    if (position === undefined) {
      positions.set(row.spanId, spans.length);
      spans.push(row);
      continue;
    }
    const repeat = repeats.get(row.spanId) ?? { rows: 1, same: true };
    repeat.rows += 1;
    repeat.same &&= sameSpan(spans[position] as Span, row);
    repeats.set(row.spanId, repeat);
    spans[position] = row;
  }
  return { spans, duplicates: [...repeats].map(([spanId, repeat]) => ({ spanId, ...repeat })) };
}
