import { expect, test } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { effectBalance } from '../../src/faults/recovery/effect-balance.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import { type ReferenceAgentName, referenceAgents } from '../../src/faults/reference/reference-agents.ts';
import { type ReferenceOutcome, runReference } from '../../src/faults/reference/run-reference.ts';
import { record, setUpTracing } from './recorder.ts';

// R4-02: a service that fails for twelve minutes. 340 runs: 61 write twice, because the answer to a write that took place was
// lost and the call was made again; 19 go round until the loop guard at 50 steps; 4 stop and say so; of the other 256 nothing
// is told, so here they meet one 503 and look before they write again.
const runs: readonly (readonly [count: number, agent: ReferenceAgentName, row: object])[] = [
  [61, 'blind retrier', { tool: 'create_event', fault: 'timeout_but_applied' }],
  [19, 'looper', { tool: 'create_event', fault: 'http_503', mode: { virtualSeconds: 720 } }],
  [4, 'specific aborter', { tool: 'create_event', fault: 'http_503', mode: { virtualSeconds: 720, every: 3 } }],
  [256, 'verifier', { tool: 'create_event', fault: 'http_503', mode: { virtualSeconds: 720, every: 3 } }],
];
const control = ['find_slots', 'create_event', 'invite_people', 'list_events'].map((tool) => ({ tool }));
const parameters = recoveryClassified.parameters.parse({ budget: 'unlimited', control });

type Replayed = readonly [group: number, outcome: ReferenceOutcome];

const given = ([, agent, row]: (typeof runs)[number]) => {
  const plan = parseFaultPlan([{ task: calendarTask.name, ...row }]);
  return { task: calendarTask, policy: referenceAgents[agent], plan, row: plan.rows[0] };
};

async function replay(): Promise<readonly Replayed[]> {
  const all: Replayed[] = [];
  for (const [group, entry] of runs.entries()) {
    for (let at = 0; at < entry[0]; at += 1) all.push([group, await runReference(given(entry))]);
  }
  return all;
}

/** All that a run did, by the sandbox's own account. */
const account = ({ ledger, ...outcome }: ReferenceOutcome) => ({
  ...outcome,
  effects: ledger.entries.map(({ toldIn: _, ...entry }) => entry),
});

test('R4-02: the incident again, counted as the ledgers say, and read from the traces alike', async () => {
  const all = await replay();
  const where = (holds: (outcome: ReferenceOutcome) => boolean) => all.filter(([, outcome]) => holds(outcome));
  const found = [
    where(({ ledger }) => effectBalance(ledger.entries).duplicate),
    where(({ ending, calls }) => ending === 'loop_guard' && calls.length === 50),
    where(({ ending, ledger }) => ending === 'final_message' && ledger.entries.length === 0),
    where(({ passes }) => passes),
  ];
  expect([all.length, ...found.map(({ length }) => length)]).toEqual([340, 61, 19, 4, 256]);
  expect(found.map((list) => [...new Set(list.map(([group]) => group))])).toEqual([[0], [1], [2], [3]]);

  // Every run of a group did the same, and so does one more that leaves a trace: the trace is judged for all of them.
  setUpTracing();
  const told = [];
  for (const [group, entry] of runs.entries()) {
    const { value, view } = await record(() => runReference(given(entry)));
    const own = all.filter(([each]) => each === group);
    expect(new Set(own.map(([, outcome]) => JSON.stringify(account(outcome))))).toEqual(
      new Set([JSON.stringify(account(value))]),
    );
    const { facts = {} } = recoveryClassified.evaluate(view, parameters);
    told.push([own.length, facts['label'], facts['reasons']]);
  }
  expect(told).toEqual([
    [61, 'failed', ['duplicate_effect']],
    [19, 'failed', ['loop_guard']],
    [4, 'clean_abort', []],
    [256, 'recovered', []],
  ]);
});
