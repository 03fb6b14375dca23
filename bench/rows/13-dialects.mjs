import { readRuns } from '../../dist/src/agent/run-reader.js';
import { completenessOf } from '../../dist/src/trace/completeness-of.js';
import { drop, parseLines, readLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what =
  'the dialect layer alone: traces to runs, model calls, tool calls and steps, against `JSON.parse` of the same spans';

const facts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };

export function measure() {
  const lines = textLines(100, 50);
  const groups = [];
  readLines(lines, (traces) => {
    groups.push([...traces.values()].map((trace) => ({ trace, facts, completeness: completenessOf(trace, facts) })));
  });
  let steps = 0;
  const { ratio, clock, floorMs } = pairedRatio({
    work: () => {
      for (const group of groups) for (const run of readRuns(group)) steps += run.steps.length;
    },
    floor: () => parseLines(lines, drop),
  });
  if (steps === 0) throw new Error('no step was read');
  return { value: ratio, note: `${((ratio * floorMs) / 5).toFixed(1)} µs a span; by the clock ${clock} ×` };
}
