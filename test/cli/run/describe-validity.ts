import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseGateReport } from '../../../src/suite/gate/gate-report.ts';
import { projectionOf } from '../../../src/suite/gate/projection.ts';
import { runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';
import { runFaulted } from './run-faulted.ts';

/** Registered by a test file that has loaded the suite already: loading it takes longer than all of these. */
export function describeValidity(folder: () => string): void {
  const gate = async (text: string): Promise<{ code: number; stdout: string }> => {
    const [path, baseline] = [join(folder(), 'gated.json'), join(folder(), 'gated-baseline.json')];
    writeFileSync(path, text);
    const projection = projectionOf(parseGateReport(text, 'gated'));
    const rules = { alpha: 0.05, increases: [], budgets: [] };
    writeFileSync(baseline, JSON.stringify({ schema: 'otel-eval/baseline/v1', packs: {}, rules, projection }));
    return runCli(['gate', path, '--baseline', baseline], { cwd: root });
  };

  describe('a fault that did not reach the agent', () => {
    test('each way has its own state, none is green, and the gate refuses the share', async () => {
      const { code, report } = await runFaulted(folder(), 'unreached');
      expect(code).toBe(4);
      const found = report.scenarios.slice(1).map(({ name, status, trials }) => {
        const verdict = trials[0]?.assertions.find((each) => each.name === 'RecoveryClassified');
        return [name.split('#')[1], status, verdict?.facts?.['status'], verdict?.missing[0]?.message];
      });
      expect(found).toEqual([
        [
          'left-out',
          'inconclusive',
          'missing',
          'missing: no receipt says that this row was armed: the app opens no fault session for the trial (openFaultSession)',
        ],
        [
          'other-plan',
          'inconclusive',
          'missing',
          'missing: no receipt says that this row was armed: the app opens no fault session for the trial (openFaultSession)',
        ],
        [
          'misnamed',
          'inconclusive',
          'not_exercised',
          'not_exercised: no call matched the row: tool, arguments or occurrence',
        ],
        [
          'never-reached',
          'inconclusive',
          'not_exercised',
          'not_exercised: no call matched the row: tool, arguments or occurrence',
        ],
        [
          'impossible',
          'inconclusive',
          'inapplicable',
          'inapplicable: a call matched, and the fault could not be made of it',
        ],
        ['swallowed', 'inconclusive', 'absorbed', 'absorbed: no result that the model was sent carried the fault'],
      ]);
      expect(report.resilience).toMatchObject({
        exercisedShare: 0,
        invalid: { missing: 2, not_exercised: 2, inapplicable: 1, absorbed: 1 },
      });
      const refused = await gate(JSON.stringify(report));
      expect(refused.code).toBe(4);
      expect(refused.stdout).toContain('expected at least 0.6 of the faulted runs exercised, got 0');
    });

    test('enough of the others make up for one that the client swallowed', async () => {
      const { code, report } = await runFaulted(folder(), 'reached');
      expect([code, report.resilience?.exercisedShare]).toEqual([0, 0.6667]);
      const passed = await gate(JSON.stringify(report));
      expect([passed.code, passed.stdout.includes('got 0.6667')]).toEqual([0, true]);
    });
  });

  describe('an agent that', () => {
    test.each([
      ['throws', 'throws', 2, 'error'],
      ['never comes back', 'hangs', 1, 'failed'],
    ])('%s is neither a control nor a pass', async (_, name, code, status) => {
      const ran = await runFaulted(folder(), name);
      expect([ran.code, ran.report.status, ran.row.status]).toEqual([code, status, status]);
      expect(ran.report.resilience).toMatchObject({ labels: { recovered: 0 }, exercisedShare: 0 });
    });
  });
}
