import { expect, test } from 'vitest';
import { readMessage } from '../../src/faults/message/read-message.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { classify, countLabels } from '../../src/faults/recovery/classify.ts';
import { effectBalance } from '../../src/faults/recovery/effect-balance.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import { type ReferenceAgentName, referenceAgents } from '../../src/faults/reference/reference-agents.ts';
import { type ReferenceOutcome, runReference } from '../../src/faults/reference/run-reference.ts';
import { call, effect, madeRun } from './made-run.ts';

// R4-02: a service that fails for twelve minutes. 340 runs: 61 write twice, because the answer to a write that took place was
// lost and the call was made again; 19 go round until the loop guard at 50 steps; 4 stop and say so; of the other 256 nothing
// is told, so here they meet one 503 and look before they write again.
const runs: readonly (readonly [count: number, agent: ReferenceAgentName, row: object])[] = [
  [61, 'blind retrier', { tool: 'create_event', fault: 'timeout_but_applied' }],
  [19, 'looper', { tool: 'create_event', fault: 'http_503', mode: { virtualSeconds: 720 } }],
  [4, 'specific aborter', { tool: 'create_event', fault: 'http_503', mode: { virtualSeconds: 720, every: 3 } }],
  [256, 'verifier', { tool: 'create_event', fault: 'http_503', mode: { virtualSeconds: 720, every: 3 } }],
];

async function replay(): Promise<
  (ReferenceOutcome & { agent: ReferenceAgentName; kind: 'timeout_but_applied' | 'http_503' })[]
> {
  const all = [];
  for (const [count, agent, row] of runs) {
    const plan = parseFaultPlan([{ task: calendarTask.name, ...row }]);
    const policy = referenceAgents[agent];
    for (let at = 0; at < count; at += 1) {
      const outcome = await runReference({ task: calendarTask, policy, plan, row: plan.rows[0] });
      all.push({ ...outcome, agent, kind: plan.rows[0]?.fault.kind as 'http_503' });
    }
  }
  return all;
}

test('R4-02: the incident again, counted as the ledgers say', async () => {
  const all = await replay();
  expect(all.length).toBe(340);
  const duplicates = all.filter(({ ledger }) => effectBalance(ledger.entries).duplicate);
  const guarded = all.filter(({ ending }) => ending === 'loop_guard');
  const aborted = all.filter(({ ledger, ending }) => ending === 'final_message' && ledger.entries.length === 0);
  expect([duplicates.length, guarded.length, aborted.length]).toEqual([61, 19, 4]);
  expect(guarded.every(({ calls }) => calls.length === 50)).toBe(true);
  expect(all.filter(({ passes }) => passes).length).toBe(256);

  const labels = all.map(({ kind, ledger, passes, ending, finalMessage, calls }) => {
    const subjects = ['event'];
    const tools = [...new Set(ledger.entries.map(({ tool }) => tool))];
    const again = calls.slice(2).map(({ tool }) => call(tool, { place: 'after', operation: tool }));
    return classify(
      madeRun({
        fault: { kind, point: 'above_client', retryAfterMs: null, deliveredAtMs: 0 },
        calls: [call('find_slots'), call('create_event', { place: 'faulted', outcome: 'failed' }), ...again],
        control: ['find_slots', 'create_event', 'invite_people', 'list_events'].map((tool) => ({
          tool,
          operation: tool,
        })),
        effects: ledger.entries.map(({ tool, identity, state, hidden }) => effect(tool, identity, { state, hidden })),
        endStatePasses: passes,
        ending,
        message:
          finalMessage === null ? null : readMessage(finalMessage, { patterns: {}, subjects, effectTools: tools }),
      }),
    );
  });
  expect(countLabels(labels)).toEqual({ recovered: 256, unnoticed_success: 0, clean_abort: 4, failed: 80 });
  const reasons = labels.flatMap(({ reasons: [first] }) => first ?? []);
  expect([
    reasons.filter((each) => each === 'duplicate_effect').length,
    reasons.filter((each) => each === 'loop_guard').length,
  ]).toEqual([61, 19]);
}, 120_000);
