import { sameSpan } from './same-span.ts';
import type { Span } from './span.ts';
import type { RepeatedSpan } from './trace.ts';

export interface UniqueSpans {
  /** One per id, in order of first appearance; of several rows the last counts. */
  readonly spans: readonly Span[];
  readonly duplicates: readonly RepeatedSpan[];
  /** Where in `spans` the span of an id stands. */
  readonly places: ReadonlyMap<string, number>;
}

interface Repeat {
  rows: number;
  same: boolean;
  /** Different spans without a parent. */
  parentless: number;
}

/** De-duplicates rows by span id and tells repeats from conflicts. */
export function uniqueSpans(rows: readonly Span[]): UniqueSpans {
  const places = new Map<string, number>();
  const spans: Span[] = [];
  const repeats = new Map<string, Repeat>();
  for (const row of rows) {
    const position = places.get(row.spanId);
    if (position === undefined) {
      places.set(row.spanId, spans.length);
      spans.push(row);
      continue;
    }
    const before = spans[position] as Span;
    const repeat = repeats.get(row.spanId) ?? { rows: 1, same: true, parentless: parentless(before) };
    repeat.rows += 1;
    if (!sameSpan(before, row)) {
      repeat.same = false;
      if (isAnotherSpan(before, row)) repeat.parentless += parentless(row);
    }
    repeats.set(row.spanId, repeat);
    spans[position] = row;
  }
  return { spans, duplicates: [...repeats].map(([spanId, repeat]) => repeatedSpan(spanId, repeat)), places };
}

/** One span that is sent again as it goes on keeps these. */
function isAnotherSpan(a: Span, b: Span): boolean {
  return a.name !== b.name || a.kind !== b.kind || a.startUnixNano !== b.startUnixNano;
}

function parentless(row: Span): number {
  return row.parentSpanId === undefined ? 1 : 0;
}

function repeatedSpan(spanId: string, { rows, same, parentless: roots }: Repeat): RepeatedSpan {
  return roots > 1 ? { spanId, rows, same, parentless: roots } : { spanId, rows, same };
}
