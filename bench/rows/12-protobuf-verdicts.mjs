import { drop, judgeLines, messages, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/protobuf to verdicts, against the JSON path for the same spans';
export const budget = 0.5;

export function measure() {
  const lines = textLines(100, 50);
  const bodies = messages(lines);
  const { ratio, clock } = pairedRatio({
    work: () => judgeLines(bodies, drop),
    floor: () => judgeLines(lines, drop),
  });
  return { value: ratio, note: `by the clock ${clock} ×` };
}
