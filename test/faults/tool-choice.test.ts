import { beforeAll, expect, test } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { toolCalled } from '../../assertions/tool-called.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import type { ReferencePolicy } from '../../src/faults/reference/reference-agents.ts';
import { runReference } from '../../src/faults/reference/run-reference.ts';
import { record, setUpTracing } from './recorder.ts';

beforeAll(setUpTracing);

const plan = parseFaultPlan([{ task: calendarTask.name, tool: 'find_slots', fault: 'empty' }]);
const people = ['Ana', 'Ben', 'Chi', 'Dana', 'Eli'];

/** Takes the empty answer for a free day, and books the slot that it likes. */
function booking(start: string): ReferencePolicy {
  return function* policy() {
    yield { tool: 'find_slots', arguments: { day: 'Tuesday' } };
    yield { tool: 'create_event', arguments: { start } };
    yield { tool: 'invite_people', arguments: { start, people } };
    return 'Done. The event is booked.';
  };
}

async function judged(start: string) {
  const row = plan.rows[0];
  const { view } = await record(() => runReference({ task: calendarTask, policy: booking(start), plan, row }));
  const called = { match: { tool: 'create_event', arguments: { start: '14:00' } }, expect: { exactly: 1 } };
  return {
    label: recoveryClassified.evaluate(view, recoveryClassified.parameters.parse({})).facts?.['label'],
    choice: toolCalled.evaluate(view, toolCalled.parameters.parse(called)).status,
  };
}

test('R4-42: which slot was right is no part of the label; an assertion about the call says it', async () => {
  expect(await judged('14:00')).toEqual({ label: 'unnoticed_success', choice: 'passed' });
  expect(await judged('16:00')).toEqual({ label: 'unnoticed_success', choice: 'failed' });
});
