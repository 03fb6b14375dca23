import { parseLines, readLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/JSON to traces, all kept, against `JSON.parse` of the same lines, kept';
export const budget = 1.3;

/** Without a collection between the rounds: a forced one makes the engine throw away compiled code, too. */
export function measure() {
  const lines = textLines(100, 50);
  const keep = (read) => () => {
    const kept = [];
    read(lines, (each) => kept.push(each));
    return kept;
  };
  const { ratio, clock, floorMs } = pairedRatio({
    work: keep(readLines),
    floor: keep(parseLines),
  });
  return {
    value: ratio,
    note: `JSON.parse, kept: ${((floorMs * 1000) / 5000).toFixed(1)} µs a span; by the clock ${clock} ×`,
  };
}
