import { drop, judgeLines, messages, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/protobuf to verdicts, against the JSON path for the same spans';
export const budget = 0.5;

/** So many times 5,000 spans: an engine takes about a second to make good code of as much code as this. */
const warmUp = 40;

export function measure() {
  const lines = textLines(100, 50);
  const bodies = messages(lines);
  const { ratio, clock } = pairedRatio({
    work: () => judgeLines(bodies, drop),
    floor: () => judgeLines(lines, drop),
    warmUp,
  });
  return { value: ratio, note: `by the clock ${clock} ×; warm, after 200,000 spans` };
}
