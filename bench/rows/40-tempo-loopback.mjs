import { check, fetchAll, judgeBodies, pairedRatio, startServer, traceIds } from '../tempo-check.mjs';

export const what =
  'check of 1,000 traces of 50 spans from a loopback Tempo, against fetching the same bytes, then judging them';
export const budget = 1.1;

export async function measure() {
  const { url, stop } = await startServer(0);
  const ids = traceIds(1_000);
  const floor = async () => judgeBodies(await fetchAll(url, ids));
  const { ratio, floorMs } = await pairedRatio({ work: () => check(url, ids), floor });
  stop();
  return { value: ratio, note: `floor ${Math.round(floorMs)} ms` };
}
