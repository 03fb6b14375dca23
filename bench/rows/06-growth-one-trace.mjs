import { buildTrace } from '../../dist/src/trace/build-trace.js';
import { SpanRecord } from '../../dist/src/trace/span-record.js';
import { collect, median, milliseconds } from '../paired.mjs';

export const what = 'Time to build one trace of 1,000,000 spans, against 100,000';
export const budget = 11;

const traceId = 'a1'.repeat(16);
const idOf = (i) => (i + 1).toString(16).padStart(16, '0');

/** A tree of width 8; every third start ties with the one before. */
function rows(count) {
  return Array.from({ length: count }, (_, i) =>
    SpanRecord.of({
      traceId,
      spanId: idOf(i),
      parentSpanId: i === 0 ? undefined : idOf((i - 1) >> 3),
      startUnixNano: BigInt(i - (i % 3 === 2 ? 1 : 0)),
      endUnixNano: BigInt(i + 5),
    }),
  );
}

export function measure() {
  const [small, large] = [rows(100_000), rows(1_000_000)];
  const build = (list) => {
    collect();
    return milliseconds(() => {
      const trace = buildTrace(traceId, list);
      if (trace.childrenOf(idOf(0)).length !== 8) throw new Error('not the tree that was given');
    });
  };
  build(small);
  const ratios = [1, 2, 3].map(() => build(large) / median([build(small), build(small), build(small)]));
  return { value: median(ratios), note: 'tree, ties in start times' };
}
