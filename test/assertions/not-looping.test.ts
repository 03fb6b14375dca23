import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { notLooping } from '../../assertions/not-looping.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { cyclesIn } from '../../src/faults/read/cycles.ts';
import { type TrajectoryStep, trajectoryOf } from '../../src/faults/read/trajectory.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import { type ReferenceAgentName, referenceAgents } from '../../src/faults/reference/reference-agents.ts';
import { runReference } from '../../src/faults/reference/run-reference.ts';
import { record, setUpTracing } from '../faults/recorder.ts';
import { viewOf } from '../view-builder.ts';
import { ticketStory } from './mutations/recovered-unattended.ts';

beforeAll(setUpTracing);

const ceiling = { max: 50, source: 'loop guard of the runner' };
const given = (more: object = {}) => notLooping.parameters.parse({ ceiling, ...more });

async function reference(name: ReferenceAgentName) {
  const row = { task: calendarTask.name, tool: 'find_slots', fault: 'empty', mode: 'until_end' };
  const plan = parseFaultPlan([row]);
  const policy = referenceAgents[name];
  const { view } = await record(() => runReference({ task: calendarTask, policy, plan, row: plan.rows[0] }));
  return view;
}

const step = (operation: number | null, result: string | undefined): TrajectoryStep => ({
  step: 0,
  tool: 'find_slots',
  outcome: 'succeeded',
  operation,
  attempt: null,
  arguments: undefined,
  result,
  call: undefined as never,
});

/** Tries every place and length, whole rounds one after the other. */
function slowly(keys: readonly string[], least: number, longest: number): number {
  let most = 0;
  for (let length = 1; length <= longest; length += 1) {
    for (let start = 0; start + length <= keys.length; start += 1) {
      const round = keys.slice(start, start + length).join();
      let rounds = 1;
      const next = () => keys.slice(start + rounds * length, start + (rounds + 1) * length);
      while (next().length === length && next().join() === round) rounds += 1;
      if (rounds >= least) most = Math.max(most, rounds * length);
    }
  }
  return most;
}

describe('NotLooping, R4-43', () => {
  test('an agent that asks until the answer is fine cycles up to the ceiling; the others do not', async () => {
    const looper = notLooping.evaluate(await reference('looper'), given());
    expect(looper.findings.map(({ code, arguments: args }) => [code, args])).toEqual([
      ['not-looping/cycle', { tools: ['"find_slots"'], rounds: 50, least: 3, step: 1 }],
      ['not-looping/at-ceiling', { max: 50, source: 'loop guard of the runner', calls: 50 }],
    ]);
    for (const name of ['verifier', 'ignorer', 'specific aborter'] as const) {
      expect(notLooping.evaluate(await reference(name), given())).toMatchObject({ status: 'passed', findings: [] });
    }
  });

  test('the record of a run: every tool call in order, with arguments and result', async () => {
    const view = await reference('ignorer');
    const told = trajectoryOf(view.run).map(({ step: at, tool, outcome, arguments: args, result }) => [
      at,
      tool,
      outcome,
      args,
      typeof result,
    ]);
    const people = ['Ana', 'Ben', 'Chi', 'Dana', 'Eli'];
    expect(told).toEqual([
      [1, 'find_slots', 'succeeded', { day: 'Tuesday' }, 'object'],
      [2, 'create_event', 'succeeded', { start: '14:00' }, 'object'],
      [3, 'invite_people', 'succeeded', { start: '14:00', people }, 'object'],
      [4, 'list_events', 'succeeded', { day: 'Tuesday' }, 'object'],
    ]);
  });

  test('the same call without its answers may be waiting, and is left open', () => {
    const story = ticketStory({ tries: Array.from({ length: 4 }, () => ({ arguments: { page: 1 } })) });
    const spans = story.map((span) => {
      const kept = Object.entries(span.attributes ?? {}).filter(([key]) => !/messages|result/.test(key));
      return { ...span, attributes: Object.fromEntries(kept) };
    });
    const verdict = notLooping.evaluate(viewOf(spans), given());
    expect([verdict.status, verdict.missing.map(({ kind }) => kind)]).toEqual(['inconclusive', ['content']]);
    const three = notLooping.evaluate(viewOf(spans.filter(({ id }) => id !== '33' && id !== '32')), given());
    expect(three.status).toBe('passed');
  });

  test('finds what trying every place and length finds', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 24 });
    fc.assert(
      fc.property(letters, fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 5 }), (keys, least, longest) => {
        const steps = keys.map((key) => step(key.charCodeAt(0), key));
        const { cycle } = cyclesIn(steps, least, longest);
        expect(cycle === undefined ? 0 : cycle.rounds * cycle.length).toBe(slowly(keys, least, longest));
        if (cycle === undefined) return;
        const round = keys.slice(cycle.start, cycle.start + cycle.length).join();
        for (let at = 1; at < cycle.rounds; at += 1) {
          const from = cycle.start + at * cycle.length;
          expect(keys.slice(from, from + cycle.length).join()).toBe(round);
        }
      }),
    );
  });

  test('arguments that are not visible are equal to nothing', () => {
    expect(cyclesIn([step(null, 'x'), step(null, 'x'), step(null, 'x')], 3, 2)).toEqual({
      cycle: undefined,
      open: { start: 0, length: 1, rounds: 3 },
    });
  });
});
