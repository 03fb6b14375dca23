import { expect, test } from 'vitest';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import { referenceAgentNames, referenceAgents } from '../../src/faults/reference/reference-agents.ts';
import { runReference } from '../../src/faults/reference/run-reference.ts';
import { record, setUpTracing } from './recorder.ts';

const plan = parseFaultPlan([{ task: calendarTask.name, tool: 'create_event', fault: 'timeout_but_applied' }]);

async function outcomes(run: <Value>(work: () => Promise<Value>) => Promise<Value>) {
  const all = [];
  for (const agent of referenceAgentNames) {
    const given = { task: calendarTask, policy: referenceAgents[agent], plan, row: plan.rows[0], stepLimit: 12 };
    const { ledger, ...outcome } = await run(() => runReference(given));
    all.push({ ...outcome, effects: ledger.entries.map(({ toldIn: _, ...entry }) => entry) });
  }
  return all;
}

test('R0-05: an agent does the same with and without instrumentation', async () => {
  const without = await outcomes((work) => work());
  setUpTracing();
  const within = await outcomes(async (work) => (await record(work)).value);
  expect(within).toEqual(without);
  expect(without.map(({ passes }) => passes)).toEqual([true, false, true, false, false, false]);
});
