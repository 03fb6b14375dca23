import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { builtCli, root } from './built-cli.ts';
import { comparable } from './comparable.ts';

let folder: string;
let cli: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-resume-'));
  cli = builtCli();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const suite = 'fixtures/suites/flaky/flaky.suite.mjs';

function start(name: string, journal: string, hangAfter = 1_000): { child: ReturnType<typeof spawn>; report: string } {
  const report = join(folder, `${name}.json`);
  const args = [
    'run',
    suite,
    '--trials',
    '100',
    '--concurrency',
    '8',
    '--resume',
    journal,
    '--json',
    report,
    '--deterministic',
  ];
  const env = { ...process.env, FLAKY_HANG_AFTER: String(hangAfter) };
  return { child: spawn(process.execPath, [cli, ...args, '--quiet'], { cwd: root, env, stdio: 'ignore' }), report };
}

const lines = (journal: string): string[] =>
  existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').filter(Boolean) : [];

test('kill -9 in the middle of 200 trials, then resume: nothing lost, nothing repeated, the same report', async () => {
  const undisturbed = start('undisturbed', join(folder, 'undisturbed.journal'));
  await once(undisturbed.child, 'exit');

  const journal = join(folder, 'killed.journal');
  const killed = start('killed', journal, 100);
  while (lines(journal).length < 60 && killed.child.exitCode === null) await sleep(20);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const before = lines(journal).length - 1;
  expect(before).toBeGreaterThanOrEqual(59);
  expect(before).toBeLessThan(200);
  expect(existsSync(killed.report)).toBe(false);

  const resumed = start('resumed', journal);
  const [code] = await once(resumed.child, 'exit');
  const keys = lines(journal)
    .slice(1)
    .map((line) => (JSON.parse(line) as { key: string }).key);
  expect([keys.length, new Set(keys).size]).toEqual([200, 200]);

  const reports = [undisturbed, resumed].map(({ report }) => JSON.parse(readFileSync(report, 'utf8')) as Report);
  expect(reports[0]?.scenarios.map(({ trials }) => trials.length)).toEqual([100, 100]);
  expect(comparable(reports[1]!)).toEqual(comparable(reports[0]!));
  expect(code).toBe(reports[0]?.exitCode);
});
