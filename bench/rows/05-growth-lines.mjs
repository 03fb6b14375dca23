import { readLines, textLines } from '../built.mjs';
import { median, milliseconds } from '../paired.mjs';

export const what = 'Time for 1,000,000 spans (many traces), against 100,000';
export const budget = 11;

/** Lines with their own trace ids, made from a few: a million lines of 1.5 KB would not fit. */
function* lines(count) {
  const patterns = textLines(40, 50).map((line) => line.split(/(?<="traceId":")[0-9a-f]{32}/));
  for (let i = 0; i < count; i += 1) {
    const id = (i + 1).toString(16).padStart(32, '0');
    yield Buffer.from(patterns[i % patterns.length].join(id)).toString('utf8');
  }
}

export function measure() {
  let spans = 0;
  const read = (count) =>
    milliseconds(() =>
      readLines(lines(count / 50), (traces) => {
        for (const trace of traces.values()) spans += trace.spans.length;
      }),
    );
  read(100_000);
  const ratios = [1, 2, 3].map(() => {
    const small = [read(100_000), read(100_000), read(100_000)];
    return read(1_000_000) / median(small);
  });
  if (spans !== 3_000_000 + 10 * 100_000) throw new Error(`${spans} spans were read`);
  return { value: median(ratios), note: 'read, dropped trace by trace' };
}
