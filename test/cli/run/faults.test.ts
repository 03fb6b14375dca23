import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { reportSchema } from '../../../src/report/report-schema.ts';
import { labelChanges } from '../../../src/report/run/label-changes.ts';
import { runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';
import { describeControls } from './describe-controls.ts';
import { describeValidity } from './describe-validity.ts';

const file = join(root, 'fixtures/suites/faulted/calendar.suite.ts');
let folder: string;
let report: Report;
let misnamed: { code: number; report: Report };
let text: string;

async function json(name: string, ...args: string[]): Promise<{ code: number; report: Report }> {
  const out = join(folder, `${name}.json`);
  const { code, stderr } = await runCli(['run', `${file}#${name}`, ...args, '--json', out, '--deterministic'], {
    cwd: root,
  });
  try {
    return { code, report: JSON.parse(readFileSync(out, 'utf8')) as Report };
  } catch {
    throw new Error(stderr);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-faults-'));
  const out = join(folder, 'suite.json');
  const ran = await runCli(['run', `${file}#suite`, '--json', out, '--deterministic'], { cwd: root });
  text = ran.stdout + ran.stderr;
  report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  misnamed = await json('misnamed');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('otel-eval run with a fault plan', () => {
  test('R4-38: the success rate is of unfaulted runs, what agents made of faults stands beside it', () => {
    expect(reportSchema.safeParse(report).success).toBe(true);
    expect(report.scenarios.map(({ name, status, tags }) => [name, status, tags])).toEqual([
      ['books a slot', 'passed', []],
      ['books a slot#applied', 'failed', ['faulted']],
      ['books a slot#stays', 'failed', ['faulted']],
      ['books a slot#below', 'inconclusive', ['faulted']],
    ]);
    expect(report.summary).toMatchObject({ passed: 1, failed: 0, inconclusive: 0 });
    expect([report.status, report.exitCode]).toEqual(['failed', 1]);
  });

  test('R4-26: the four labels and what says nothing sum to all faulted runs', () => {
    const { resilience } = report;
    expect(resilience).toMatchObject({
      runs: 18,
      planned: 18,
      repeatable: true,
      exercisedShare: 0.6667,
      labels: { recovered: 1, unnoticed_success: 1, clean_abort: 3, failed: 7 },
      invalid: { absorbed: 6, not_exercised: 0, missing: 0, inapplicable: 0, attended: 0, harness_error: 0 },
      undecided: 0,
      untold: 0,
    });
    expect(resilience?.plan).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(resilience?.rows.map(({ scenario, kind, point, mode }) => [scenario, kind, point, mode])).toEqual([
      ['books a slot#applied', 'timeout_but_applied', 'above_client', 'single'],
      ['books a slot#stays', 'http_503', 'above_client', 'until_end'],
      ['books a slot#below', 'http_503', 'below_client', 'single'],
    ]);
  });

  test('R4-41, R4-21: reactions by label, steps and loop guards by mode', () => {
    expect(report.resilience?.reactions).toEqual({
      recovered: { verify_read: 1 },
      unnoticed_success: { none: 1 },
      clean_abort: { verify_read: 1, retry_same: 1, none: 1 },
      failed: { retry_same: 3, none: 4 },
    });
    expect(report.resilience?.byMode).toEqual({
      single: { runs: 12, medianToolCalls: 4, loopGuards: 0 },
      until_end: { runs: 6, medianToolCalls: 4, loopGuards: 1 },
    });
  });

  test('R4-23: what the client takes away is a finding of its own', () => {
    expect(report.resilience?.gaps).toEqual([{ kind: 'http_503', above: 0, below: 1, absorbed: 6 }]);
    expect(text).toContain("http_503: 100 % below the client (6 absorbed by it), 0 % above: the gap is the client's");
  });

  test('R4-03, R4-04: without faults the column is empty', async () => {
    const clean = await json('suite', '--scenario', 'books a slot');
    expect([clean.code, clean.report.resilience]).toEqual([0, undefined]);
  });

  test('a tool by another name: nothing was exercised, and that is no pass', async () => {
    const { code, report: found } = misnamed;
    expect([code, found.status]).toEqual([4, 'inconclusive']);
    expect(found.resilience).toMatchObject({ exercisedShare: 0, invalid: { not_exercised: 6 } });
  });

  test('R4-29: a plan without a budget is refused, and says what to write', async () => {
    const { code, stderr } = await runCli(['run', `${file}#unbounded`], { cwd: root });
    expect(code).toBe(2);
    expect(stderr).toContain('expected a budget for faulted runs, got none');
    expect(stderr).toContain('say "budget: unlimited" if that is meant');
  });

  test('R4-37: label changes between two reports of one plan; reports of two plans are not compared', async () => {
    const moved = structuredClone(report) as { -readonly [Key in keyof Report]: Report[Key] };
    const facts = moved.scenarios[2]?.trials[0]?.assertions.find(({ name }) => name === 'RecoveryClassified')?.facts;
    (facts as Record<string, unknown>)['label'] = 'failed';
    const move = { from: 'clean_abort', to: 'failed', trials: 1 };
    expect(labelChanges(report, moved)).toMatchObject({
      labels: [
        { word: 'recovered', before: 1, after: 1 },
        { word: 'unnoticed_success', before: 1, after: 1 },
        { word: 'clean_abort', before: 3, after: 2 },
        { word: 'failed', before: 7, after: 8 },
      ],
      outside: [{ word: 'absorbed', before: 6, after: 6 }],
      moves: [move],
      validityMoves: [],
      rows: [{ scenario: 'books a slot#stays', moves: [move] }],
      unpaired: 0,
    });
    expect(() => labelChanges(report, misnamed.report)).toThrow(
      'expected two reports of one fault plan, got different plans',
    );
  });
});

describeControls(() => folder);
describeValidity(() => folder);

describe('otel-eval gate on faulted runs', () => {
  const gate = async (given: Report) => {
    const [path, baseline] = [join(folder, 'given.json'), join(folder, 'baseline.json')];
    writeFileSync(path, JSON.stringify(given));
    const rules = { alpha: 0.05, increases: [], budgets: [] };
    const { projectionOf } = await import('../../../src/suite/gate/projection.ts');
    const { parseGateReport } = await import('../../../src/suite/gate/gate-report.ts');
    const projection = projectionOf(parseGateReport(JSON.stringify(given), 'given'));
    writeFileSync(baseline, JSON.stringify({ schema: 'otel-eval/baseline/v1', packs: {}, rules, projection }));
    const { code, stdout } = await runCli(['gate', path, '--baseline', baseline], { cwd: root });
    return { code, faults: stdout.split('\n').filter((_, at, all) => (all[at - 1] ?? '').includes(' faults')) };
  };

  test('refuses a share below the minimum', async () => {
    expect(await gate(misnamed.report)).toEqual({
      code: 4,
      faults: ['      expected at least 0.6 of the faulted runs exercised, got 0'],
    });
  });

  test('R4-14: refuses random injection', async () => {
    const { report: drawn } = await json('drawn');
    const { code, faults } = await gate(drawn);
    expect(code).toBe(1);
    expect(faults[0]).toBe('      expected faults that come again in the same run, got random or wall-clock injection');
  });
});
