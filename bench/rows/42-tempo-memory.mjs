import { fork } from 'node:child_process';
import { once } from 'node:events';
import { check, startServer, traceIds } from '../tempo-check.mjs';

export const what = 'peak memory of a check of 10,000 traces, against that of 100';
export const budget = 1.3;

/** Peak resident bytes of a process of its own. */
async function peakOf(url, count) {
  const child = fork(import.meta.filename, [url, String(count)], { execArgv: ['--max-old-space-size=512'] });
  const [{ maxRssMb }] = await once(child, 'message');
  return maxRssMb;
}

export async function measure() {
  const { url, stop } = await startServer(0);
  const [few, many] = [await peakOf(url, 100), await peakOf(url, 10_000)];
  stop();
  return { value: many / few, note: `${Math.round(few)} MB, ${Math.round(many)} MB` };
}

if (process.send !== undefined) {
  const [url, count] = process.argv.slice(2);
  const report = await check(url, traceIds(Number(count)));
  if (report.source.fetched.traces !== Number(count)) throw new Error('not all were read');
  process.send({ maxRssMb: process.resourceUsage().maxRSS / 1_024 });
  process.disconnect();
}
