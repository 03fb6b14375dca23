import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { runCli } from '../run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-production-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs of production: one trace each; every `failing`-th lacks its second span. */
function traces(runs: number, failing: number): string {
  const path = join(folder, `${runs}-${failing}.jsonl`);
  const lines = Array.from({ length: runs }, (_, at) => {
    const traceId = (at + 1).toString(16).padStart(32, '0');
    const span = (id: string, parent: string) => ({
      traceId,
      spanId: id.repeat(16),
      parentSpanId: parent,
      name: `span ${id}`,
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1050000000',
      attributes: [{ key: 'otel_eval.run.id', value: { stringValue: `run-${at}` } }],
    });
    const spans = failing > 0 && at % failing === 0 ? [span('a', '')] : [span('a', ''), span('b', 'a'.repeat(16))];
    return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function suite(policy: string): string {
  const path = join(folder, `${policy.replace(/\W/g, '')}.yaml`);
  writeFileSync(
    path,
    `schema: otel-eval/suite/v1
policy: ${policy}
scenarios:
  - name: two spans
    assertions: [{ SpansMatch: { match: {}, expect: { exactly: 2 } } }]
`,
  );
  return path;
}

async function check(policy: string, input: string, ...args: string[]): Promise<{ code: number; report: Report }> {
  const { code, stdout, stderr } = await runCli(['check', suite(policy), '--input', input, '--json', ...args]);
  if (stdout === '') throw new Error(stderr);
  return { code, report: JSON.parse(stdout) as Report };
}

describe('check over many production runs', () => {
  test('a rate with its bound: shown, not shown, shown to be lower', async () => {
    const good = await check('{ rate: 0.9 }', traces(100, 25));
    expect([good.code, good.report.scenarios[0]?.rate]).toEqual([
      0,
      { passed: 96, of: 100, lower: 0.9016, upper: 0.9843 },
    ]);
    const open = await check('{ rate: 0.95 }', traces(100, 25));
    expect([open.code, open.report.scenarios[0]?.missing[0]?.message]).toEqual([
      4,
      expect.stringMatching(
        /^96 of 100 neither shows a pass rate of at least 0\.95 nor a lower one; \d+ more passing runs would show it$/,
      ),
    ]);
    const bad = await check('{ rate: 0.95 }', traces(100, 5));
    expect([bad.code, bad.report.scenarios[0]?.status]).toEqual([1, 'failed']);
  });

  test('without a policy every run must pass', async () => {
    expect((await check('all', traces(100, 25))).code).toBe(1);
    expect((await check('all', traces(20, 0))).code).toBe(0);
  });

  test('slices', async () => {
    const { report } = await check('{ rate: 0.9 }', traces(100, 25), '--slice', 'trajectory_length:1,2');
    expect(report.slices?.[0]?.bins.reduce((sum, { runs }) => sum + runs, 0)).toBe(100);
  });
});
