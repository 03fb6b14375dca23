import { beforeAll, describe, expect, test } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import { referenceAgents } from '../../src/faults/reference/reference-agents.ts';
import { runReference } from '../../src/faults/reference/run-reference.ts';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { humanInput } from '../../src/instrument/human-input.ts';
import type { View } from '../../src/verdict/assertion.ts';
import { record, setUpTracing } from './recorder.ts';

beforeAll(setUpTracing);

const task = calendarTask;

async function viewOfRow(row: object, agent: keyof typeof referenceAgents = 'verifier'): Promise<View> {
  const plan = parseFaultPlan([{ task: task.name, ...row }]);
  const policy = referenceAgents[agent];
  return (await record(() => runReference({ task, policy, plan, row: plan.rows[0], stepLimit: 12 }))).view;
}

const judge = (view: View, parameters: object = {}) =>
  recoveryClassified.evaluate(view, recoveryClassified.parameters.parse({ budget: 'unlimited', ...parameters }));

const events = (view: View) =>
  view.run.traces.flatMap(({ spans }) =>
    spans.flatMap((span) => span.events.map((event) => ({ ...event, on: span.name, scope: span.scope.name }))),
  );

describe('receipts', () => {
  test('armed, matched, applied and delivered stand in the trace, each where it happened', async () => {
    const view = await viewOfRow({
      tool: 'create_event',
      fault: { kind: 'http_429', retryAfterSeconds: 20 },
      row: 'r1',
    });
    const receipts = events(view).filter(({ name }) => name.startsWith('otel_eval.fault.'));
    expect(receipts.map(({ name, on }) => [name, on])).toEqual([
      ['otel_eval.fault.armed', 'invoke_agent reference'],
      ['otel_eval.fault.matched', 'execute_tool create_event'],
      ['otel_eval.fault.applied', 'execute_tool create_event'],
      ['otel_eval.fault.delivered', 'chat reference-1'],
    ]);
    const [, , applied] = receipts;
    const { plan, 'otel_eval.fault.session': session, ...rest } = Object.fromEntries(applied?.attributes ?? []);
    expect(plan).toMatch(/^sha256:/);
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    expect(rest).toEqual({
      row: 'r1',
      kind: 'http_429',
      point: 'above_client',
      mode: 'single',
      virtual_time_ms: 0,
      retry_after_ms: 20_000,
      calls: 2,
      'gen_ai.tool.name': 'create_event',
      'gen_ai.tool.call.id': 'call-2',
    });
  });

  test('a hidden write stands on a span of the harness alone, linked to the call it was hidden from', async () => {
    const view = await viewOfRow({ tool: 'create_event', fault: 'timeout_but_applied' }, 'ignorer');
    const hidden = events(view).filter(({ attributes }) => attributes.get('kind') === 'hidden');
    expect(hidden.map(({ name, on, scope }) => [name, on, scope])).toEqual([
      ['otel_eval.evidence.effect', 'otel_eval hidden write', 'otel-eval/faults'],
    ]);
    const spans = view.run.traces.flatMap((trace) => trace.spans);
    const [link] = spans.find(({ name }) => name === 'otel_eval hidden write')?.links ?? [];
    expect(spans.find(({ spanId }) => spanId === link?.spanId)?.name).toBe('execute_tool create_event');
    const ofAgent = spans.filter(({ scope }) => scope.name === 'otel-eval');
    expect(ofAgent.some(({ events: own }) => own.some(({ name }) => name.includes('effect')))).toBe(false);
  });
});

describe('each way in which a run says nothing of recovery has its own state', () => {
  test.each<[string, object, string]>([
    ['a tool by another name', { tool: 'create_evnt', fault: 'timeout' }, 'not_exercised'],
    ['an occurrence that is never reached', { tool: 'create_event', occurrence: 7, fault: 'timeout' }, 'not_exercised'],
    [
      'a fault that cannot be made of the call',
      { tool: 'invite_people', fault: { kind: 'partial', ok: 3, rejected: 1 } },
      'inapplicable',
    ],
    [
      'a fault that the client swallowed',
      { tool: 'create_event', fault: 'http_503', point: 'below_client' },
      'absorbed',
    ],
  ])('%s', async (_, row, status) => {
    const verdict = judge(await viewOfRow(row));
    expect(verdict.status).toBe('inconclusive');
    expect(verdict.facts).toMatchObject({ status, label: null, possible: [], level: 'injected' });
    expect(verdict.missing.map(({ kind }) => kind)).toEqual([`fault-${status.replace('_', '-')}`]);
  });

  test('R4-03: no injector: nothing was observed, and no label is given', async () => {
    const plan = parseFaultPlan([{ task: task.name, tool: 'create_event', fault: 'timeout' }]);
    const policy = referenceAgents.verifier;
    const { view } = await record(() => runReference({ task, policy, plan, row: undefined }));
    expect(judge(view).facts).toMatchObject({ status: 'not_exercised', label: null, level: 'observed_fault' });
    expect(judge(view).status).toBe('inconclusive');
  });

  test('a person took part', async () => {
    const plan = parseFaultPlan([{ task: task.name, tool: 'create_event', fault: 'timeout' }]);
    const policy = referenceAgents.verifier;
    const { view } = await record(() =>
      agentRun({ name: 'reference', instrumented: 'all' }, async () => {
        await runReference({ task, policy, plan, row: plan.rows[0] });
        await humanInput({ kind: 'approval' }, async (decided) => decided('granted'));
      }),
    );
    expect(judge(view).facts).toMatchObject({ status: 'attended', label: null });
  });

  test('the client that absorbs a timeout by trying again makes the effect twice, and the report says so', async () => {
    const verdict = judge(
      await viewOfRow({ tool: 'create_event', fault: 'timeout_but_applied', point: 'below_client' }),
    );
    expect(verdict.facts).toMatchObject({ status: 'absorbed', point: 'below_client' });
    expect(verdict.remarks).toContain('the client absorbed the fault by trying again, and made an effect twice');
  });
});

describe('RecoveryClassified on injected faults', () => {
  test('passes what recovered and fails what did not, with the faulted call', async () => {
    const control = ['find_slots', 'create_event', 'invite_people', 'list_events'].map((tool) => ({ tool }));
    const fault = { tool: 'create_event', fault: 'timeout_but_applied' };
    const good = judge(await viewOfRow(fault), { control });
    expect([good.status, good.facts?.['label'], good.facts?.['reaction']]).toEqual([
      'passed',
      'recovered',
      'verify_read',
    ]);
    const view = await viewOfRow(fault, 'blind retrier');
    const bad = judge(view, { control });
    expect(bad.status).toBe('failed');
    expect(bad.findings.map(({ observed }) => observed)).toEqual([
      'failed (duplicate_effect) after timeout_but_applied on "create_event", reaction retry_same',
    ]);
    const guilty = bad.findings[0]?.spans[0]?.spanId;
    expect(view.run.toolCalls.find(({ spans }) => spans[0]?.spanId === guilty)?.name).toBe('create_event');
  });

  test('without a control run only what is declared counts as a reaction', async () => {
    const view = await viewOfRow({ tool: 'list_events', fault: 'stale_read' });
    expect(judge(view).facts).toMatchObject({ label: 'unnoticed_success', reaction: 'none' });
    expect(judge(view, { alternates: ['get_event'] }).facts).toMatchObject({
      label: 'recovered',
      reaction: 'alternate_tool',
    });
  });

  test('R4-28, R4-29: recovered and over budget hold together; no budget is said in so many words', async () => {
    const view = await viewOfRow({ tool: 'create_event', fault: 'timeout' });
    const over = judge(view, { budget: { max: 4, source: 'twice the base of four' }, verify: ['list_events'] });
    expect(over.facts).toMatchObject({ label: 'recovered' });
    expect(over.facts?.['flags']).toContain('over_budget');
    const silent = recoveryClassified.evaluate(view, recoveryClassified.parameters.parse({}));
    expect(silent.remarks).toContain('no budget was stated: a run of any length may count as recovered');
    expect(recoveryClassified.parameters.safeParse({ budget: { max: 4, source: 'observed' } }).success).toBe(false);
  });
});
