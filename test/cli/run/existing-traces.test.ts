import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { runCli } from '../run-cli.ts';

let folder: string;
let suite: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-existing-'));
  const lines = Array.from({ length: 10 }, (_, at) => {
    const span = (id: string, parentSpanId: string) => ({
      traceId: (at + 1).toString(16).padStart(32, '0'),
      spanId: id.repeat(16),
      parentSpanId,
      name: `span ${id}`,
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1050000000',
      attributes: [{ key: 'otel_eval.run.id', value: { stringValue: `run-${at}` } }],
    });
    const spans = at === 0 ? [span('a', '')] : [span('a', ''), span('b', 'a'.repeat(16))];
    return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  });
  writeFileSync(join(folder, 'recorded.jsonl'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'first.jsonl'), `${lines[1]}\n`);
  suite = join(folder, 'suite.yaml');
  writeFileSync(
    suite,
    `schema: otel-eval/suite/v1
target: traces
traces: { source: file, input: recorded.jsonl }
profiles:
  lenient: { policy: { passes: 9 } }
  one: { traces: { input: first.jsonl } }
scenarios:
  - name: two spans
    tags: [fast]
    assertions: [{ SpansMatch: { match: {}, expect: { exactly: 2 } } }]
  - name: a second span
    assertions: [{ SpansMatch: { match: { name: span b }, expect: { atLeast: 1 } } }]
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; report: Report }> {
  const { code, stdout, stderr } = await runCli(['run', suite, '--json', '--deterministic', ...args]);
  if (stdout === '') throw new Error(stderr);
  return { code, report: JSON.parse(stdout) as Report };
}

test('the target "traces" judges each recorded run as a trial', async () => {
  const { code, report } = await run();
  expect(code).toBe(1);
  const [first] = report.scenarios;
  expect([first?.trials.length, first?.trials.filter(({ status }) => status === 'failed').length]).toEqual([10, 1]);
  expect([report.source.kind, report.source.fetched.traces]).toEqual(['file', 10]);
});

test('a profile brings its policy or its traces, tags and names choose scenarios', async () => {
  const lenient = await run('--profile', 'lenient', '--tag', 'fast');
  expect([lenient.code, lenient.report.scenarios.map(({ name, policy }) => [name, policy])]).toEqual([
    0,
    [['two spans', '9 of 10']],
  ]);
  const one = await run('--profile', 'one');
  expect([one.code, one.report.scenarios.map(({ trials }) => trials.length)]).toEqual([0, [1, 1]]);
  const named = await run('--scenario', 'a second span', '--input', join(folder, 'first.jsonl'));
  expect([named.code, named.report.scenarios.map(({ name }) => name)]).toEqual([0, ['a second span']]);
});

test('the report is that of check', async () => {
  const { report } = await run();
  const checked = await runCli(['check', suite, '--json', '--deterministic']);
  expect(JSON.parse(checked.stdout)).toEqual(report);
});

test.each([
  [['--trials', '3'], '--trials is for a target that is driven, and this suite judges existing traces'],
  [['--shard', '1/2'], '--shard is for a target that is driven, and this suite judges existing traces'],
  [['--resume', 'run.journal'], '--resume is for a target that is driven, and this suite judges existing traces'],
])('%j is refused: existing runs are as many as they are', async (args, message) => {
  const { code, stdout, stderr } = await runCli(['run', suite, ...args]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});
