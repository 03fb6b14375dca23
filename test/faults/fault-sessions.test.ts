import { context, trace } from '@opentelemetry/api';
import { beforeAll, describe, expect, test } from 'vitest';
import { recoveredUnattended } from '../../assertions/recovered-unattended.ts';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { resultHeeded } from '../../assertions/result-heeded.ts';
import { FaultSession } from '../../src/faults/inject/fault-session.ts';
import { recordEffects } from '../../src/faults/inject/record-effects.ts';
import { EffectLedger } from '../../src/faults/ledger/effect-ledger.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { faultEventsOf } from '../../src/faults/read/fault-events.ts';
import { sessionEvents } from '../../src/faults/read/fault-sessions.ts';
import { ticketStory, unattended } from '../assertions/mutations/recovered-unattended.ts';
import { type SpanSketch, viewOf } from '../view-builder.ts';
import { type FaultedStory, faultedStory, type StoryCall } from './faulted-story.ts';
import { record, setUpTracing } from './recorder.ts';

const books: StoryCall = { tool: 'create_event', arguments: { at: '14:00' }, effect: 'write' };
const hit: StoryCall = { ...books, error: 'ServiceUnavailableError', hit: true };
const recovered: FaultedStory = {
  fault: 'http_503',
  calls: [hit, books],
  final: 'The event is booked.',
  effects: [{ tool: 'create_event' }],
  endStates: [true],
};
/** What another session left, in which all went well: the fault of another row, a ledger, an end state. */
const foreign = (row: string, session?: string): SpanSketch => ({
  id: 'f0',
  parent: '1',
  name: 'otel_eval ledger',
  scope: 'otel-eval/faults',
  start: 4_900,
  end: 4_950,
  events: [
    { name: 'otel_eval.fault.armed', attributes: { plan: 'sha256:0', row, kind: 'http_503', point: 'above_client' } },
    { name: 'otel_eval.evidence.snapshot', attributes: { stage: 'before', 'record.count': 0 } },
    { name: 'otel_eval.evidence.snapshot', attributes: { stage: 'after', 'record.count': 1 } },
    { name: 'otel_eval.evidence.end_state', attributes: { success: true } },
    {
      name: 'otel_eval.evidence.effect',
      attributes: { index: 0, identity: 1, state: 'committed', 'gen_ai.tool.name': 'create_event' },
    },
  ].map((event) => ofSession(event, session)),
});

type Event = NonNullable<SpanSketch['events']>[number];

function ofSession(event: Event, session: string | undefined): Event {
  if (session === undefined || !event.name.startsWith('otel_eval.')) return event;
  return { ...event, attributes: { ...event.attributes, 'otel_eval.fault.session': session } };
}

const named = (story: FaultedStory, session?: string): SpanSketch[] =>
  faultedStory(story).map((span) => ({
    ...span,
    events: (span.events ?? []).map((event) => ofSession(event, session)),
  }));

const controls = {
  runs: [{ status: 'passed' as const, why: null, calls: [{ tool: 'create_event', arguments: { at: '14:00' } }] }],
  agreement: undefined,
};
const judge = (spans: readonly SpanSketch[], row?: string) => {
  const parsed = recoveryClassified.parameters.parse({ budget: 'unlimited' });
  const planned = row === undefined ? undefined : { plan: 'sha256:0', row, controls };
  const { status, facts, missing } = recoveryClassified.evaluate(viewOf(spans), { ...parsed, planned });
  return [status, facts?.['status'], facts?.['label'], missing.map(({ message }) => message)];
};
const mixed =
  'missing: the run holds receipts and effects of 2 fault sessions, which cannot be told apart; give each trial a run of its own, with one session';
const unbooked: FaultedStory = { ...recovered, calls: [hit], final: 'Booked.', effects: [], endStates: [false] };

describe('two fault sessions in one run', () => {
  test('one alone is judged', () => {
    expect(judge(named(recovered, 'a'))).toEqual(['passed', 'classified', 'recovered', []]);
    expect(judge(named(recovered), '1')).toEqual(['passed', 'classified', 'recovered', []]);
    expect(judge(named(unbooked, 'a'))).toEqual(['failed', 'classified', 'failed', []]);
  });

  test.each([
    ['named', 'a', 'b'],
    ['unnamed', undefined, undefined],
    ['one of them named', 'a', undefined],
  ])('%s: neither is judged by the evidence of the other', (_, own, other) => {
    for (const story of [recovered, unbooked, { ...recovered, effects: [{ tool: 'create_event' }] }]) {
      expect(judge([...named(story, own), foreign('2', other)])).toEqual(['inconclusive', 'missing', null, [mixed]]);
    }
  });

  test('the planned row picks its session, whatever the other one says', () => {
    const both = (story: FaultedStory) => [...named(story, 'a'), foreign('2', 'b')];
    expect(judge(both(recovered), '1')).toEqual(['passed', 'classified', 'recovered', []]);
    expect(judge(both(unbooked), '1')).toEqual(['failed', 'classified', 'failed', []]);
    const { effects: _, ...noLedger } = recovered;
    expect(judge(both(noLedger), '1').slice(0, 2)).toEqual(['inconclusive', 'missing']);
    // Of the row that was planned twice no one is the one.
    expect(judge([...named(recovered, 'a'), foreign('1', 'b')], '1').slice(0, 2)).toEqual(['inconclusive', 'missing']);
    expect(judge([...named(recovered), foreign('2')], '1').slice(0, 2)).toEqual(['inconclusive', 'missing']);
  });

  test('RecoveredUnattended and ResultHeeded take no ledger out of two', () => {
    const story = [...ticketStory(), foreign('2', 'b')];
    const parameters = recoveredUnattended.parameters.parse(unattended);
    const { status, missing, facts } = recoveredUnattended.evaluate(viewOf(story), parameters);
    expect([status, missing.map(({ kind }) => kind), facts?.['recovered']]).toEqual([
      'inconclusive',
      ['ledger'],
      false,
    ]);
    const once = resultHeeded.parameters.parse({ tool: 'update_ticket', expect: { commitsOnce: true } });
    const heeded = resultHeeded.evaluate(viewOf(story), once);
    expect([heeded.status, heeded.missing.map(({ kind }) => kind)]).toEqual(['inconclusive', ['ledger']]);
  });
});

describe('what sessions write', () => {
  beforeAll(setUpTracing);

  test('every receipt and every piece of evidence says of which session it is', async () => {
    const plan = parseFaultPlan([{ task: 'book', tool: 'book', fault: 'timeout_but_applied' }]);
    const [row] = plan.rows;
    if (row === undefined) throw new Error('the plan has no row');
    const { view } = await record(async () => {
      const span = trace.getTracer('otel-eval').startSpan('invoke_agent a');
      await context.with(trace.setSpan(context.active(), span), async () => {
        const ledger = new EffectLedger();
        for (const at of [1, 2]) {
          const session = new FaultSession({ plan, row, ledger });
          const run = () => ledger.commit('book', { at });
          await session.call({ tool: 'book', arguments: { at }, run }).catch(() => undefined);
          await session.close({ endStatePasses: true });
        }
        await recordEffects(ledger, { endStatePasses: true });
      });
      span.end();
      return undefined;
    });
    const events = faultEventsOf(view.run);
    expect(sessionEvents(events).sessions).toBe(3);
    const all = [...events.values()].flat();
    expect(all.filter(({ attributes }) => !attributes.has('otel_eval.fault.session'))).toEqual([]);
    expect(events.get('evidence.effect')?.length).toBe(4);
  });
});
