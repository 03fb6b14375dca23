import { drop, parseLines, readLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/JSON to traces, each dropped, against `JSON.parse` of the same lines';
export const budget = 1.25;

export function measure() {
  const lines = textLines(100, 50);
  const { ratio, clock, floorMs } = pairedRatio({
    work: () => readLines(lines, drop),
    floor: () => parseLines(lines, drop),
  });
  return {
    value: ratio,
    note: `JSON.parse: ${((floorMs * 1000) / 5000).toFixed(1)} µs a span; by the clock ${clock} ×`,
  };
}
