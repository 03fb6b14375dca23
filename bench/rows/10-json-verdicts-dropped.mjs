import { drop, judgeLines, parseLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what =
  'OTLP/JSON to verdicts of five assertions, judged and dropped trace by trace, against `JSON.parse` of the same lines, dropped';
export const budget = 1.5;

/** So many times 5,000 spans: an engine takes about a second to make good code of as much code as this. */
const warmUp = 40;

export function measure() {
  const lines = textLines(100, 50);
  const { ratio, clock, floorMs } = pairedRatio({
    work: () => judgeLines(lines, drop),
    floor: () => parseLines(lines, drop),
    warmUp,
  });
  return {
    value: ratio,
    note: `JSON.parse: ${((floorMs * 1000) / 5000).toFixed(1)} µs a span; by the clock ${clock} ×; warm, after 200,000 spans`,
  };
}
