import { beforeAll, describe, expect, test } from 'vitest';
import { recordEffects } from '../../src/faults/inject/record-effects.ts';
import { EffectLedger } from '../../src/faults/ledger/effect-ledger.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { controlRunOf } from '../../src/faults/read/control-run-of.ts';
import type { Classification } from '../../src/faults/recovery/classification.ts';
import { classify } from '../../src/faults/recovery/classify.ts';
import { type ControlRun, controlAgreement, settled } from '../../src/faults/recovery/control-run.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import { referenceAgents } from '../../src/faults/reference/reference-agents.ts';
import { runReference } from '../../src/faults/reference/run-reference.ts';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { toolCall } from '../../src/instrument/tool-call.ts';
import { madeRun } from './made-run.ts';
import { record, setUpTracing } from './recorder.ts';

const passing: ControlRun = { status: 'passed', why: null, calls: [{ tool: 'a' }] };
const recovered = classify(
  madeRun({ fault: { kind: 'timeout', point: 'above_client', retryAfterMs: null, deliveredAtMs: 0 } }),
);
const label = (word: Classification['label']): Classification => ({
  ...recovered,
  status: 'classified',
  label: word,
  possible: word === null ? [] : [word],
  reasons: [],
});
const good = label('recovered');

describe('a label against control runs', () => {
  const withRuns = (runs: readonly ControlRun[], agreement?: number) => settled([good], { runs, agreement });

  test('stands where the task passes without a fault', () => {
    expect(withRuns([passing, passing])).toEqual(good);
  });

  test.each<[ControlRun['status'] | 'none', string | null, string, string]>([
    [
      'failed',
      'ToolCalled',
      'missing',
      "the task fails without a fault too: ToolCalled; what follows is not the fault's",
    ],
    ['inconclusive', null, 'missing', 'the control run does not tell what the agent does without a fault'],
    [
      'error',
      'the target threw TypeError',
      'harness_error',
      'the control run could not be made: the target threw TypeError',
    ],
    ['none', null, 'missing', 'no control run was made'],
  ])('control %s: no label, whatever the faulted run did', (status, why, expected, message) => {
    const runs = status === 'none' ? [] : [passing, { ...passing, status, why }];
    for (const found of [good, label('failed'), label('clean_abort'), label('unnoticed_success')]) {
      expect(settled([found], { runs, agreement: undefined })).toMatchObject({
        status: expected,
        label: null,
        possible: [],
        reasons: [],
        missing: [message],
      });
    }
  });

  test('what says nothing of recovery stays that', () => {
    const absorbed: Classification = { ...good, status: 'absorbed', label: null, possible: [], missing: ['swallowed'] };
    expect(settled([absorbed], { runs: [{ ...passing, status: 'failed' }], agreement: undefined })).toBe(absorbed);
  });

  test('controls that lead to different labels leave it open', () => {
    const runs = [passing, { ...passing, calls: [{ tool: 'b' }] }];
    expect(settled([good, label('unnoticed_success')], { runs, agreement: undefined })).toMatchObject({
      status: 'undecided',
      label: null,
      possible: ['recovered', 'unnoticed_success'],
      missing: ['the control runs differ, and the label with them'],
    });
    expect(settled([good, good], { runs, agreement: undefined })).toEqual(good);
  });

  test('a declared agreement is demanded', () => {
    const runs = [passing, passing, { ...passing, calls: [] }];
    expect(controlAgreement({ runs, agreement: undefined })).toBe(0.6667);
    expect(withRuns(runs, 0.6).label).toBe('recovered');
    expect(withRuns(runs, 0.7)).toMatchObject({
      status: 'missing',
      missing: ['the control runs agree to 0.6667, which is less than 0.7'],
    });
  });
});

describe('a control run read from its trace', () => {
  beforeAll(setUpTracing);

  const controlOf = async (row?: object): Promise<ControlRun> => {
    const plan = parseFaultPlan([{ task: calendarTask.name, tool: 'create_event', fault: 'timeout', ...row }]);
    const policy = referenceAgents.verifier;
    const given = { task: calendarTask, policy, plan, row: row === undefined ? undefined : plan.rows[0] };
    return controlRunOf((await record(() => runReference(given))).view);
  };
  const recorded = async (
    end: Parameters<typeof recordEffects>[1],
    keys: readonly number[] = [1],
  ): Promise<ControlRun> => {
    const ledger = new EffectLedger();
    const { view } = await record(() =>
      agentRun({ name: 'booker', instrumented: 'all' }, async () => {
        await modelCall({ model: 'm', provider: 'scripted', input: [] }, async () => {});
        for (const key of keys)
          await toolCall({ name: 'book', callId: `c${key}`, arguments: {} }, async () => ledger.commit('book', key));
        await recordEffects(ledger, end);
      }),
    );
    return controlRunOf(view);
  };

  test('its calls in their order, with arguments', async () => {
    const { status, calls } = await controlOf();
    expect(status).toBe('passed');
    expect(calls.map(({ tool }) => tool)).toEqual(['find_slots', 'create_event', 'invite_people', 'list_events']);
    expect(calls[1]?.arguments).toEqual({ start: '10:00' });
  });

  test.each<[string, Parameters<typeof recorded>, ControlRun['status'], string | null]>([
    ['all is well', [{ endStatePasses: true }], 'passed', null],
    ['the end state is wrong', [{ endStatePasses: false }], 'failed', 'its end state is wrong'],
    ['an effect stands twice', [{ endStatePasses: true }, [1, 1]], 'failed', 'it makes an effect twice'],
    ['a constraint is broken', [{ constraintBroken: true }], 'failed', 'it breaks a constraint'],
    ['the loop guard ended it', [{ ending: 'loop_guard' }], 'failed', 'it ended by loop_guard'],
    ['the sandbox was not reset', [{ harnessFailure: 'reset' }], 'error', 'the harness failed at its reset'],
    ['the drain failed', [{ drain: () => Promise.reject(new Error()) }], 'error', 'the harness failed at its drain'],
  ])('%s', async (_, given, status, why) => {
    expect(await recorded(...given)).toMatchObject({ status, why });
  });

  test('one with a fault in it is none', async () => {
    expect(await controlOf({})).toMatchObject({ status: 'failed', why: 'a fault was planted in it' });
  });

  test('one of which calls may be missing tells nothing of what the agent does', async () => {
    const { view } = await record(() => agentRun({ name: 'dark' }, async () => {}));
    expect(controlRunOf(view).status).toBe('inconclusive');
  });
});
