import { parseLines, readLines, textLines } from '../built.mjs';
import { collect, pairedRatio } from '../paired.mjs';

export const what = 'OTLP/JSON to traces, all kept, against `JSON.parse` of the same lines, kept';
export const budget = 1.3;

export function measure() {
  const lines = textLines(400, 50);
  const keep = (read) => () => {
    const kept = [];
    read(lines, (each) => kept.push(each));
    return kept;
  };
  const { ratio, clock, floorMs } = pairedRatio({
    work: keep(readLines),
    floor: keep(parseLines),
    rounds: 15,
    warmUp: 2,
    between: collect,
  });
  return {
    value: ratio,
    note: `JSON.parse, kept: ${((floorMs * 1000) / 20000).toFixed(1)} µs a span; by the clock ${clock} ×`,
  };
}
