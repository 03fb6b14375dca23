import { drop, judgeLines, messages, readParsedLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/protobuf to verdicts, against the JSON path for the same spans';
export const budget = 0.5;

/** So many times 5,000 spans: an engine takes about a second to make good code of as much code as this. */
const warmUp = 40;

export function measure() {
  const lines = textLines(100, 50);
  const bodies = messages(lines);
  const work = () => judgeLines(bodies, drop);
  const { ratio, clock } = pairedRatio({ work, floor: () => judgeLines(lines, drop), warmUp });
  const { ratio: parsed } = pairedRatio({ work, floor: () => judgeLines(lines, drop, readParsedLines), warmUp });
  return {
    value: ratio,
    note: `by the clock ${clock} ×; warm, after 200,000 spans; against JSON by way of JSON.parse ${parsed.toFixed(2)} ×`,
  };
}
