import { fork } from 'node:child_process';
import { once } from 'node:events';
import { check, startServer, traceIds } from '../tempo-check.mjs';

export const what = 'peak memory of a check of 10,000 traces in a heap of 48 MB, against that of 100 traces';
export const budget = 1.3;

/** A heap with room grows whether it must or not: what is needed shows where there is little. */
const tight = ['--max-old-space-size=48', '--max-semi-space-size=1'];

/** Peak resident megabytes of a process of its own. */
async function peakOf(url, count, execArgv) {
  const child = fork(import.meta.filename, [url, String(count)], { execArgv });
  const [{ maxRssMb }] = await once(child, 'message');
  return maxRssMb;
}

export async function measure() {
  const { url, stop } = await startServer(0);
  const [few, many] = [await peakOf(url, 100, tight), await peakOf(url, 10_000, tight)];
  const [roomyFew, roomyMany] = [await peakOf(url, 100, []), await peakOf(url, 10_000, [])];
  stop();
  const roomy = `with Node's own bounds ${Math.round(roomyFew)} MB, ${Math.round(roomyMany)} MB`;
  return { value: many / few, note: `${Math.round(few)} MB, ${Math.round(many)} MB; ${roomy}` };
}

if (process.send !== undefined) {
  const [url, count] = process.argv.slice(2);
  const report = await check(url, traceIds(Number(count)));
  if (report.source.fetched.traces !== Number(count)) throw new Error('not all were read');
  process.send({ maxRssMb: process.resourceUsage().maxRSS / 1_024 });
  process.disconnect();
}
