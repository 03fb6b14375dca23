import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const report = join(import.meta.dirname, 'report-time.cjs');

/** Milliseconds of processor time of a Node process from its start to its end. */
export function childMs(args) {
  const { stderr, status } = spawnSync(process.execPath, ['-r', report, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  return Number(stderr.trim().split('\n').at(-1));
}
