import { drop, messages, readLines, readParsedLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/protobuf to traces, against the JSON path for the same spans';
export const budget = 0.5;

export function measure() {
  const lines = textLines(100, 50);
  const binary = messages(lines);
  const work = () => readLines(binary, drop);
  const { ratio } = pairedRatio({ work, floor: () => readLines(lines, drop) });
  const { ratio: parsed } = pairedRatio({ work, floor: () => readParsedLines(lines, drop) });
  const bytes = binary.reduce((sum, message) => sum + message.length, 0) / 5000;
  return {
    value: ratio,
    note: `${Math.round(bytes)} bytes a span; against JSON by way of JSON.parse ${parsed.toFixed(2)} ×`,
  };
}
