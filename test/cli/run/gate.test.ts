import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliResult, runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';

const suite = join(root, 'fixtures/suites/flaky/flaky.suite.mjs');
let folder: string;
const file = (name: string): string => join(folder, name);
const gate = (...args: string[]): Promise<CliResult> => runCli(['gate', ...args], { cwd: root });

async function report(name: string, percent: number, ...args: string[]): Promise<string> {
  process.env['FLAKY_PERCENT'] = String(percent);
  try {
    const { stderr, code } = await runCli(
      ['run', suite, '--trials', '40', '--json', file(name), '--deterministic', ...args],
      { cwd: root },
    );
    if (code === 2) throw new Error(stderr);
  } finally {
    delete process.env['FLAKY_PERCENT'];
  }
  return file(name);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-gate-'));
  writeFileSync(file('agent-1.0.0.tgz'), 'the artifact');
  writeFileSync(file('agent-1.0.1.tgz'), 'another artifact');
  await report('good.json', 0, '--artifact', file('agent-1.0.0.tgz'));
  expect((await gate(file('good.json'), '--write-baseline', file('baseline.json'))).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('otel-eval gate', () => {
  test('the same agent passes, with exactly the tested artifact', async () => {
    const { code, stdout } = await gate(
      file('good.json'),
      '--baseline',
      file('baseline.json'),
      '--artifact',
      file('agent-1.0.0.tgz'),
      '--projection',
      file('kept.json'),
    );
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('✓ PASS: 5 rules, 0 failed, 0 without enough evidence');
    const kept = readFileSync(file('kept.json'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({
      schema: 'otel-eval/projection/v1',
      models: ['scripted-1'],
      artifact: { name: 'agent-1.0.0.tgz' },
    });
    expect(kept).not.toContain('ORD-');
  });

  test('another artifact is not let through', async () => {
    const { code, stdout } = await gate(
      file('good.json'),
      '--baseline',
      file('baseline.json'),
      '--artifact',
      file('agent-1.0.1.tgz'),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('✗ artifact  agent-1.0.1.tgz');
  });

  test('an agent that got worse fails, by its policy and by its rate', async () => {
    const worse = await report('worse.json', 30);
    const { code, stdout } = await gate(worse, '--baseline', file('baseline.json'), '--json');
    const { decision, findings } = JSON.parse(stdout) as {
      decision: string;
      findings: { rule: string; subject: string; decision: string }[];
    };
    expect([code, decision]).toEqual([1, 'FAIL']);
    expect(
      findings.filter((finding) => finding.decision === 'FAIL').map(({ rule, subject }) => [rule, subject]),
    ).toEqual([
      ['policies', 'refunds a cancelled order'],
      ['regression', 'refunds a paid order'],
      ['regression', 'refunds a cancelled order'],
    ]);
  });

  test('another seed is the same plan; other trials too; another profile is not', async () => {
    const seeded = await report('seeded.json', 0, '--seed', '9', '--trials', '30');
    expect((await gate(seeded, '--baseline', file('baseline.json'))).code).toBe(0);
    const profiled = await report('profiled.json', 0, '--profile', 'live');
    const refused = await gate(profiled, '--baseline', file('baseline.json'));
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('report and baseline are not comparable: plan: sha256:'),
    ]);
  });

  test('shards are put together first; one alone is refused', async () => {
    const parts = [await report('part-1.json', 0, '--shard', '1/2'), await report('part-2.json', 0, '--shard', '2/2')];
    expect((await gate(...parts, '--baseline', file('baseline.json'))).code).toBe(0);
    const alone = await gate(parts[0]!, '--baseline', file('baseline.json'));
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringContaining('expected a whole report, got shard 1 of 2'),
    ]);
  });

  test('what is no report or no baseline is refused in a sentence', async () => {
    writeFileSync(file('text.json'), 'hello');
    expect((await gate(file('text.json'), '--baseline', file('baseline.json'))).stderr).toContain('it is not JSON');
    expect((await gate(file('good.json'), '--baseline', file('good.json'))).stderr).toContain(
      'is no baseline: schema: ',
    );
    expect((await gate(file('good.json'))).stderr).toContain('expected a baseline to compare with, got none');
  });
});
