import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';
import { runFaulted, suiteFile } from './run-faulted.ts';

const task = 'books a slot';

/** Registered by a test file that has loaded the suite already: loading it takes longer than all of these. */
export function describeControls(folder: () => string): void {
  describe('otel-eval run: each task of a fault plan is run without its faults, and compared with', () => {
    test('it passes: the label stands', async () => {
      const { code, text, report, row } = await runFaulted(folder(), 'controlPasses');
      expect([code, row.status]).toEqual([0, 'passed']);
      expect(row.facts).toMatchObject({ label: 'recovered', control: 'passed', controlRuns: 1, controlAgreement: 1 });
      expect(report.resilience?.controls).toEqual([{ task, runs: 1, status: 'passed', agreement: 1 }]);
      expect(text).toContain(`control of ${task}: passed in 1 run without a fault`);
    });

    test.each([
      ['controlFails', 1, 'failed', 'missing', 'ToolCalled'],
      ['controlMisbooks', 4, 'passed', 'missing', 'its end state is wrong'],
    ])('%s: it fails, and no row is green', async (name, code, taskStatus, status, why) => {
      const ran = await runFaulted(folder(), name);
      expect([ran.code, ran.report.scenarios[0]?.status, ran.row.status]).toEqual([code, taskStatus, 'inconclusive']);
      expect(ran.row.facts).toMatchObject({ status, label: null, control: 'failed' });
      expect(ran.report.resilience).toMatchObject({
        exercisedShare: 0,
        labels: { recovered: 0 },
        invalid: { missing: 1 },
        controls: [{ task, runs: 1, status: 'failed' }],
      });
      expect(ran.text.replace(/\s+/g, ' ')).toContain(`the task fails without a fault too: ${why}`);
      expect(ran.text).toContain(`control of ${task}: failed in 1 run without a fault`);
    });

    test('it cannot be made: the row is a harness error', async () => {
      const { code, row } = await runFaulted(folder(), 'controlBreaks', '--scenario', `${task}#applied`);
      expect([code, row.status]).toEqual([4, 'inconclusive']);
      expect(row.facts).toMatchObject({ status: 'harness_error', label: null, control: 'error' });
    });

    test('two that lead to two labels leave the row open, and both are shown', async () => {
      const { code, text, report, row } = await runFaulted(folder(), 'controlsDiffer');
      expect([code, row.status]).toEqual([4, 'inconclusive']);
      expect(row.facts).toMatchObject({
        status: 'undecided',
        label: null,
        possible: ['recovered', 'unnoticed_success'],
      });
      expect(report.resilience?.controls).toEqual([{ task, runs: 2, status: 'passed', agreement: 0.5 }]);
      expect(text).toContain('passed in 2 runs without a fault, 50 % with the same tool calls');
    });

    test('a shard makes its own, and merged reports show them', async () => {
      const codes: number[] = [];
      const files: string[] = [];
      for (const index of [1, 2]) {
        const shard = await runFaulted(folder(), 'reached', '--shard', `${index}/2`);
        codes.push(shard.code);
        files.push(join(folder(), `shard-${index}.json`));
        writeFileSync(files.at(-1) ?? '', JSON.stringify(shard.report));
      }
      // The second has too few that say anything of the agent; together they are enough.
      expect(codes).toEqual([0, 4]);
      const out = join(folder(), 'merged.json');
      const { code } = await runCli(['merge', ...files, '--json', out, '--deterministic'], { cwd: root });
      const merged = JSON.parse(readFileSync(out, 'utf8')) as Report;
      expect([code, merged.resilience?.exercisedShare]).toEqual([0, 0.6667]);
      expect(merged.resilience?.controls).toEqual([{ task, runs: 1, status: 'passed', agreement: 1 }]);
    });

    test('a resumed run says the same of them, and makes none where no faulted trial is left', async () => {
      const journal = join(folder(), 'run.journal');
      const first = await runFaulted(folder(), 'controlFails', '--resume', journal);
      const again = await runFaulted(folder(), 'controlFails', '--resume', journal);
      expect(again.report).toEqual(first.report);
      expect(again.report.resilience?.controls).toEqual([{ task, runs: 1, status: 'failed', agreement: 1 }]);
    });

    test('--plan counts them', async () => {
      const { stdout } = await runCli(['run', `${suiteFile}#controlsDiffer`, '--plan'], { cwd: root });
      expect(stdout).toContain('trials   4 in 2 scenarios, 2 of them without a fault, to compare with');
    });
  });
}
