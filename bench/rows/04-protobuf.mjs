import { drop, messages, readLines, textLines } from '../built.mjs';
import { pairedRatio } from '../paired.mjs';

export const what = 'OTLP/protobuf to traces, against the JSON path for the same spans';
export const budget = 0.5;

export function measure() {
  const lines = textLines(100, 50);
  const binary = messages(lines);
  const { ratio } = pairedRatio({
    work: () => readLines(binary, drop),
    floor: () => readLines(lines, drop),
  });
  const bytes = binary.reduce((sum, message) => sum + message.length, 0) / 5000;
  return { value: ratio, note: `${Math.round(bytes)} bytes a span` };
}
