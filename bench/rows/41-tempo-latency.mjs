import { check, fetchAll, pairedRatio, startServer, traceIds } from '../tempo-check.mjs';

export const what = 'the same with 10 ms of latency a request, against the fetching alone';
export const budget = 1.1;

export async function measure() {
  const { url, stop } = await startServer(10);
  const ids = traceIds(1_000);
  const { ratio, floorMs } = await pairedRatio({
    work: () => check(url, ids),
    floor: () => fetchAll(url, ids),
    rounds: 5,
  });
  stop();
  return { value: ratio, note: `fetching ${Math.round(floorMs)} ms` };
}
