import { drop, messages, readLines, readParsedLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/protobuf to traces, against JSON of the same spans by way of `JSON.parse`';
export const budget = 0.5;

export function measure() {
  const lines = textLines(100, 50);
  const binary = messages(lines);
  const work = () => readLines(binary, drop);
  const { ratio } = pairedRatio({ work, floor: () => readParsedLines(lines, drop) });
  const { ratio: scanned } = pairedRatio({ work, floor: () => readLines(lines, drop) });
  const bytes = binary.reduce((sum, message) => sum + message.length, 0) / 5000;
  return {
    value: ratio,
    note: `${Math.round(bytes)} bytes a span; against JSON as read from its text ${scanned.toFixed(2)} ×`,
  };
}
