import { judgeLines } from '../built.mjs';
import { largeTrace } from '../large-trace.mjs';
import { collect, median, milliseconds } from '../paired.mjs';

export const what = 'one trace of 100,000 spans with 20,000 tool calls to verdicts, against one of 10,000 with 2,000';
export const budget = 11;

export function measure() {
  const [small, large] = [largeTrace(10_000), largeTrace(100_000)];
  const judge = (line) => {
    collect();
    return milliseconds(() =>
      judgeLines([line], ({ run }) => {
        if (run.toolCalls.length * 5 !== run.traces[0].spans.length) throw new Error('not the calls that were given');
      }),
    );
  };
  for (let i = 0; i < 3; i += 1) judge(small);
  const times = [1, 2, 3, 4, 5].map(() => ({ large: judge(large), small: median([1, 2, 3].map(() => judge(small))) }));
  const ms = median(times.map((each) => each.large));
  return {
    value: median(times.map((each) => each.large / each.small)),
    note: `${Math.round(ms)} ms, ${(ms / 100).toFixed(1)} µs a span`,
  };
}
