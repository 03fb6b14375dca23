import { parseLines, readLines, textLines } from '../built.mjs';
import { bytesKept } from '../paired.mjs';

export const what = 'Memory kept for a span, against what `JSON.parse` keeps for it';
export const budget = 0.5;

export function measure() {
  const spans = 20_000;
  const lines = textLines(spans / 50, 50);
  const keep = (read) => () => {
    const kept = [];
    read(lines, (each) => kept.push(each));
    return kept;
  };
  keep(readLines)();
  const ours = bytesKept(keep(readLines)) / spans;
  const theirs = bytesKept(keep(parseLines)) / spans;
  return { value: ours / theirs, note: `${Math.round(ours)} of ${Math.round(theirs)} bytes` };
}
