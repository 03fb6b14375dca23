import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { reportSchema } from '../../../src/report/report-schema.ts';
import { type CliResult, runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';
import { comparable } from './comparable.ts';

const suite = join(root, 'fixtures/suites/flaky/flaky.suite.mjs');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]): Promise<CliResult> => runCli(['run', suite, ...args], { cwd: root });
async function json(...args: string[]): Promise<{ code: number; report: Report }> {
  const { code, stdout, stderr } = await run(...args, '--json', '--deterministic');
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as Report;
  expect(reportSchema.safeParse(report).success).toBe(true);
  return { code, report };
}
const statuses = (report: Report): Record<string, string[]> =>
  Object.fromEntries(report.scenarios.map(({ name, trials }) => [name, trials.map(({ status }) => status)]));

describe('otel-eval run', () => {
  test('drives a function through its trials and judges each by its own trace', async () => {
    const { code, report } = await json('--seed', '2');
    expect(code).toBe(1);
    expect(statuses(report)).toEqual({
      'refunds a paid order': ['passed', 'failed', 'passed', 'passed'],
      'refunds a cancelled order': ['passed', 'failed', 'passed'],
    });
    const [first] = report.scenarios;
    expect([first?.planned, first?.policy, first?.status]).toEqual([4, '2 of 4', 'passed']);
    const [trial] = first?.trials ?? [];
    expect(trial?.assertions.map(({ name, passed, examined }) => [name, passed, examined])).toEqual([
      ['TargetAnswered', true, 3],
      ['TrialTraced', true, 3],
      ['TrialIndependent', true, 3],
      ['ExecutionTraceJoined', true, 3],
      ['SpansMatch', true, 3],
    ]);
    expect(report.plan).toMatchObject({
      seed: 2,
      profile: null,
      models: ['scripted-1'],
      shard: null,
      evidenceLevel: 'live_n',
      target: { kind: 'function', label: 'function' },
    });
    const traceIds = report.scenarios.flatMap(({ trials }) => trials.flatMap((each) => each.traceIds));
    expect([traceIds.length, new Set(traceIds).size]).toEqual([7, 7]);
  });

  test('the last line is the summary, failing trials say how to run them again', async () => {
    const { stdout } = await run('--seed', '2');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('✗ failed: 1/2 scenarios passed, 1 failed; 0 packs not applicable');
    expect(stdout).toContain('--scenario "refunds a cancelled order" --trial ');
  });

  test('a trial runs again alone, with the same seed and the same verdict', async () => {
    const whole = await json('--seed', '2');
    const failed = whole.report.scenarios[1]?.trials.find(({ status }) => status === 'failed');
    const index = String(failed?.index);
    const again = await json('--scenario', 'refunds a cancelled order', '--trial', index, '--seed', '2');
    expect(
      again.report.scenarios.map(({ trials }) => trials.map((each) => [each.index, each.seed, each.status])),
    ).toEqual([[[failed?.index, failed?.seed, 'failed']]]);
  });

  test('tags are ANDed; a profile brings its own, and its trials; --trials wins over both', async () => {
    const names = async (...args: string[]) =>
      (await json(...args)).report.scenarios.map(({ name, planned }) => [name, planned]);
    expect(await names('--tag', 'money')).toEqual([
      ['refunds a paid order', 4],
      ['refunds a cancelled order', 3],
    ]);
    expect(await names('--tag', 'money', '--tag', 'smoke')).toEqual([['refunds a paid order', 4]]);
    expect(await names('--profile', 'live', '--trials', '2')).toEqual([
      ['refunds a paid order', 2],
      ['refunds a cancelled order', 2],
    ]);
  });

  test('--plan says what a run would cost, and runs nothing', async () => {
    const { report } = await json('--seed', '2');
    const pilot = join(folder, 'pilot.json');
    const spent = (trial: Report['scenarios'][0]['trials'][0]) => ({
      ...trial,
      durationMs: 24_000,
      measures: { inputTokens: 2_500, outputTokens: 500 },
    });
    const scenarios = report.scenarios.map((each) => ({ ...each, trials: each.trials.map(spent) }));
    writeFileSync(pilot, JSON.stringify({ ...report, scenarios }));
    const args = ['--scenario', 'refunds a paid order', '--trials', '200', '--concurrency', '20', '--plan'];
    expect(await run(...args, '--pilot', pilot)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `trials   200 in 1 scenario; 20 at once: 10 waves
time     at most 10 min 0 s, if every trial ran to its timeout; about 4 min 0 s by the pilot (24.00 s a trial)
tokens   about 600,000 by the pilot (7 trials, 3,000 each), however many run at once
shows    200 trials of a scenario rather miss a failure in less than 1.5 % of runs; 59 see one in 20
`,
    });
    const without = await run('--plan');
    expect(without.stdout.split('\n').slice(0, 3)).toEqual([
      'trials   7 in 2 scenarios; 4 at once: 2 waves',
      'time     at most 2 min 0 s, if every trial ran to its timeout',
      'tokens   unknown: give an earlier report of this agent with --pilot FILE',
    ]);
    expect((await run('--plan', '--json')).stderr).toContain('expected --plan or a report, got both');
    expect((await run('--plan', '--pilot', suite)).stderr).toContain('expected a JSON report of otel-eval in');
  });

  test.each([
    [['--profile', 'nightly'], 'the suite has no profile "nightly"'],
    [['--tag', 'nothing'], 'no scenario has the tag nothing'],
    [['--scenario', 'nothing'], 'the suite has no scenario "nothing"'],
    [['--profile', 'fast'], 'the policy of scenario "refunds a paid order" needs 2 trials, got 1'],
    [['--shard', '5/4'], 'expected --shard i/n with 1 ≤ i ≤ n, got 5/4'],
    [['--trial', '1', '--shard', '1/2'], 'expected --trial or --shard, got both'],
    [['--trials', '0'], "option '--trials <n>' argument '0' is invalid. expected a whole number from 1"],
  ])('%j is refused before anything runs', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('an export of the suite file may be named', async () => {
    const path = join(folder, 'two.suite.mjs');
    writeFileSync(
      path,
      `import suite from ${JSON.stringify(suite)};
export const smoke = { ...suite, name: 'smoke', scenarios: suite.scenarios.slice(0, 1) };`,
    );
    const { code, stdout } = await runCli(['run', `${path}#smoke`, '--seed', '1', '--json', '--deterministic'], {
      cwd: root,
    });
    const report = JSON.parse(stdout) as Report;
    expect([code, report.suite, report.scenarios.length]).toEqual([0, 'smoke', 1]);
    const absent = await runCli(['run', `${path}#nightly`], { cwd: root });
    expect([absent.code, absent.stderr]).toEqual([
      2,
      expect.stringContaining('two.suite.mjs: expected an export nightly, got none'),
    ]);
    expect((await runCli(['run', path], { cwd: root })).stderr).toContain('expected a default export, got none');
  });

  test('a suite without a target or without steps says so', async () => {
    const path = join(folder, 'bare.yaml');
    const scenario = '  - name: a\n    assertions: [ExecutionTraceJoined]\n';
    writeFileSync(path, `schema: otel-eval/suite/v1\nscenarios:\n${scenario}`);
    expect((await runCli(['run', path])).stderr).toContain('the suite names no target to run');
    writeFileSync(path, `schema: otel-eval/suite/v1\ntarget: { command: [node, x.mjs] }\nscenarios:\n${scenario}`);
    expect((await runCli(['run', path])).stderr).toContain(
      'scenario "a" has no steps: there is nothing to ask the target',
    );
  });

  test('bail stops once a scenario has failed; what did not run is no pass', async () => {
    const { code, report } = await json(
      '--seed',
      '18',
      '--scenario',
      'refunds a cancelled order',
      '--bail',
      '--concurrency',
      '1',
    );
    expect(code).toBe(1);
    expect(statuses(report)).toEqual({ 'refunds a cancelled order': ['failed'] });
    expect([report.scenarios[0]?.status, report.scenarios[0]?.planned]).toEqual(['failed', 3]);
  });

  test('equal runs give equal reports, but for ids', async () => {
    const [first, second] = [await json('--seed', '2'), await json('--seed', '2')];
    expect(comparable(first.report)).toEqual(comparable(second.report));
  });
});

describe('shards', () => {
  test('four of them merged equal one run', async () => {
    const whole = await json('--trials', '10', '--seed', '7');
    const paths = [];
    for (const index of [1, 2, 3, 4]) {
      const path = join(folder, `shard-${index}.json`);
      await run('--trials', '10', '--seed', '7', '--shard', `${index}/4`, '--json', path, '--deterministic');
      paths.push(path);
    }
    const merged = await runCli(['merge', ...[...paths].reverse(), '--json', '--deterministic'], { cwd: root });
    expect(merged.code).toBe(whole.code);
    expect(comparable(JSON.parse(merged.stdout) as Report)).toEqual(comparable(whole.report));

    const twice = await runCli(['merge', paths[0]!, paths[0]!], { cwd: root });
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('are both shard 1/4')]);
    const other = join(folder, 'other.json');
    await run('--trials', '10', '--seed', '8', '--shard', '2/4', '--json', other, '--deterministic');
    const mixed = await runCli(['merge', paths[0]!, other], { cwd: root });
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('does not belong to')]);
    expect(mixed.stderr).toContain('seed differs');
  });

  test('a shard that is missing is never a pass where every trial counts', async () => {
    process.env['FLAKY_PERCENT'] = '0';
    try {
      const paths = [1, 2, 3].map((index) => join(folder, `part-${index}.json`));
      for (const [at, path] of paths.entries()) {
        const part = await run('--trials', '9', '--shard', `${at + 1}/3`, '--json', path, '--deterministic');
        // "2 of 9" is decided by any two trials, "all" of a part by the part.
        expect(part.code).toBe(0);
      }
      const whole = await runCli(['merge', ...paths, '--json', '--deterministic'], { cwd: root });
      expect(whole.code).toBe(0);
      const partial = await runCli(['merge', ...paths.slice(1), '--json', '--deterministic'], { cwd: root });
      const report = JSON.parse(partial.stdout) as Report;
      expect([partial.code, report.scenarios.map(({ status }) => status)]).toEqual([4, ['passed', 'inconclusive']]);
      expect(report.scenarios[1]?.missing[0]?.message).toBe(
        '9 passed trials not shown: of 9 trials 6 passed, 3 not run',
      );
    } finally {
      delete process.env['FLAKY_PERCENT'];
    }
  });
});

describe('trials that are not two', () => {
  test('a model answer from a cache leaves the question open', async () => {
    process.env['FLAKY_CACHE'] = '1';
    try {
      // The same seed twice: both trials hold answer-SEED-cached.
      const path = join(folder, 'cached.suite.mjs');
      writeFileSync(
        path,
        `import suite from ${JSON.stringify(suite)};
const { createAgent } = await import(${JSON.stringify(join(root, 'fixtures/suites/flaky/agent.mjs'))});
export default { ...suite, target: { create: (ticket) => createAgent({ ...ticket, seed: 50 }) } };`,
      );
      const { code, stdout } = await runCli(['run', path, '--json', '--deterministic'], { cwd: root });
      const report = JSON.parse(stdout) as Report;
      expect(code).toBe(4);
      const [trial] = report.scenarios[0]?.trials ?? [];
      const independent = trial?.assertions.find(({ name }) => name === 'TrialIndependent');
      expect([trial?.status, independent?.missing[0]?.kind]).toEqual(['inconclusive', 'independence']);
      expect(independent?.missing[0]?.message).toContain('a cache answered, so this is no second sample');
    } finally {
      delete process.env['FLAKY_CACHE'];
    }
  });
});

describe('a command as target', () => {
  test('each trial has a process and a receiver of its own', async () => {
    const path = join(root, 'fixtures/suites/order-support.run.yaml');
    const { code, stdout } = await runCli(['run', path, '--json', '--deterministic'], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const report = JSON.parse(stdout) as Report;
    expect([code, report.source.kind, report.plan?.evidenceLevel]).toEqual([0, 'otlp', 'scripted_model']);
    expect(report.scenarios[0]?.trials.map(({ status, proof }) => [status, proof?.spans])).toEqual([
      ['passed', 6],
      ['passed', 6],
    ]);
    expect(report.scenarios[0]?.trials[0]?.assertions[1]?.remarks).toEqual(['joined by a channel of its own']);
  });

  const rough = (habit: string, timeout: string): string => {
    const path = join(folder, `${habit}.yaml`);
    const agent = join(root, 'fixtures/agents/rough/agent.mjs');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path,
      `schema: otel-eval/suite/v1
name: rough
target: { command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(agent)}, ${habit}] }
timeout: ${timeout}
scenarios:
  - name: ${habit}
    steps: [CANARY-INPUT]
    assertions: [ExecutionTraceJoined]
`,
    );
    return path;
  };

  test.each([
    [
      'hang',
      '400ms',
      1,
      'failed',
      'target-answered/timeout',
      'expected all steps are answered within 400 ms, observed step 1 was not',
    ],
    ['flood', '60s', 2, 'error', 'OTEL_EVAL_TOO_LARGE', 'node printed more than 16777216 bytes; it was stopped'],
    ['fail', '60s', 2, 'error', 'OTEL_EVAL_COMMAND', 'node ended with exit code 7'],
    ['leak', '60s', 2, 'error', 'OTEL_EVAL_COMMAND', 'node left a process running after it had ended; it was stopped'],
    ['echo', '60s', 4, 'inconclusive', 'nothing-examined', 'it answered, and no span tells of it'],
  ])('one that would %s', async (habit, timeout, code, status, kind, message) => {
    const junit = join(folder, `${habit}.xml`);
    const result = await runCli(['run', rough(habit, timeout), '--json', '--deterministic', '--junit', junit], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const report = JSON.parse(result.stdout) as Report;
    const answered = report.scenarios[0]?.trials[0]?.assertions[0];
    const told = [
      ...(answered?.findings.map((each) => [each.code, each.message]) ?? []),
      ...(answered?.missing.map((each) => [each.kind, each.message]) ?? []),
    ];
    expect([result.code, answered?.status, told[0]]).toEqual([code, status, [kind, message]]);
    for (const text of [result.stdout, result.stderr, readFileSync(junit, 'utf8')])
      expect(text).not.toContain('CANARY');
  });
});
