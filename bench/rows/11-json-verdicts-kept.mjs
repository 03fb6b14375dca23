import { judgeLines, parseLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'the same with everything kept, against `JSON.parse` kept';
export const budget = 1.3;

/** So many times 5,000 spans: an engine takes about a second to make good code of as much code as this. */
const warmUp = 40;

export function measure() {
  const lines = textLines(100, 50);
  const { ratio, clock, floorMs } = pairedRatio({
    work: () => {
      const kept = [];
      judgeLines(lines, (one) => kept.push(one));
      return kept;
    },
    floor: () => {
      const kept = [];
      parseLines(lines, (one) => kept.push(one));
      return kept;
    },
    warmUp,
  });
  return {
    value: ratio,
    note: `JSON.parse: ${((floorMs * 1000) / 5000).toFixed(1)} µs a span; by the clock ${clock} ×; warm, after 200,000 spans`,
  };
}
