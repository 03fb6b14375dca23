import type { Span } from './span.ts';

interface Mark {
  readonly startUnixNano: bigint;
  /** The first end among the spans that start here or before. */
  readonly firstEndUnixNano: bigint;
}

const nanosPerMs = 1_000_000n;

/**
 * Whether one of `earlier` started before a span and had ended when that began. Clocks of JavaScript SDKs round starts, and
 * no ends, down to milliseconds: a start of whole milliseconds stands for any moment of its millisecond.
 */
export function endedBefore(earlier: readonly Span[]): (span: Span) => boolean {
  const marks = marksOf(earlier);
  return ({ startUnixNano }) => {
    const last = marks[countBelow(marks, startUnixNano) - 1];
    if (last === undefined) return false;
    const latestStart = startUnixNano % nanosPerMs === 0n ? startUnixNano + nanosPerMs - 1n : startUnixNano;
    return last.firstEndUnixNano <= latestStart;
  };
}

function marksOf(spans: readonly Span[]): readonly Mark[] {
  const ended = spans
    .flatMap(({ startUnixNano, endUnixNano }) => (endUnixNano === undefined ? [] : [{ startUnixNano, endUnixNano }]))
    .sort((a, b) => (a.startUnixNano < b.startUnixNano ? -1 : a.startUnixNano > b.startUnixNano ? 1 : 0));
  let first: bigint | undefined;
  return ended.map(({ startUnixNano, endUnixNano }) => {
    if (first === undefined || endUnixNano < first) first = endUnixNano;
    return { startUnixNano, firstEndUnixNano: first };
  });
}

/** How many marks start before this moment; they stand in order. */
function countBelow(marks: readonly Mark[], momentUnixNano: bigint): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const mark = marks[middle];
    if (mark !== undefined && mark.startUnixNano < momentUnixNano) low = middle + 1;
    else high = middle;
  }
  return low;
}
