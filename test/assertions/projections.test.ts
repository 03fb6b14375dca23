import { describe, expect, test } from 'vitest';
import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type { ProjectionRow } from '../../src/verdict/projection/projection-row.ts';
import { type SpanSketch, type ViewOptions, viewOf } from '../view-builder.ts';
import { setAttributes } from './order-story.ts';
import { delta, projectedStory, projections, type Rows, totals } from './projected-story.ts';

interface Case {
  readonly rows?: object;
  readonly spans?: readonly SpanSketch[];
  readonly options?: ViewOptions;
  readonly more?: object;
}

function judge({ rows = projections(), spans = projectedStory(), options, more }: Case) {
  const parameters = executionTraceJoined.parameters.parse({ projections: rows, ...more });
  return executionTraceJoined.evaluate(viewOf(spans, options), parameters);
}

/** Status and what was missing, where nothing was found. */
function lacking(given: Case): readonly unknown[] {
  const { status, findings, missing } = judge(given);
  return [status, findings.map(({ code }) => code), missing.map(({ kind, message }) => `${kind}: ${message}`)];
}

const undecided = (...messages: readonly string[]) => ['inconclusive', [], messages.map((one) => `projection: ${one}`)];
const cut = (change: (rows: Rows) => void): Rows => projections(change);

test('live stream, durable rows and UI payload of the same run are joined with its trace', () => {
  const { status, examined, remarks } = judge({ more: { requireProjections: ['live', 'durable', 'ui'] } });
  expect([status, examined, remarks]).toEqual([
    'passed',
    7,
    [
      'joined with 9 events of the live stream',
      'joined with 9 events of the durable rows',
      'joined with 9 events of the UI payload',
    ],
  ]);
});

describe('what is missing decides nothing', () => {
  test.each(['live', 'durable', 'ui'] as const)('%s is empty', (kind) => {
    const rows = cut((all) => {
      all[kind] = [];
    });
    const [status, findings, missing] = lacking({ rows });
    const said = { live: 'the live stream holds', durable: 'the durable rows hold', ui: 'the UI payload holds' }[kind];
    expect([status, findings]).toEqual(['inconclusive', []]);
    expect(missing).toContain(`projection: ${said} no event of this run`);
  });

  test.each(['live', 'durable', 'ui'] as const)('%s was cut off', (kind) => {
    const rows = cut((all) => {
      all[kind] = all[kind].slice(0, 5);
    });
    const said = { live: 'the live stream is', durable: 'the durable rows are', ui: 'the UI payload is' }[kind];
    expect(lacking({ rows })).toEqual(undecided(`${said} cut off: no row with totals ends this run`));
  });

  test('rows of other runs alone', () => {
    const rows = cut((all) => {
      all.ui = all.ui.map((row) => ({
        ...row,
        runId: 'run-2',
        ...('totals' in row ? {} : { spanId: 'f'.repeat(16) }),
      }));
    });
    expect(lacking({ rows })).toEqual(undecided('the UI payload holds no event of this run'));
  });

  test('a projection that must be there is not given', () => {
    const { live, durable } = projections();
    expect(lacking({ rows: { live, durable }, more: { requireProjections: ['live', 'durable', 'ui'] } })).toEqual(
      undecided('the UI payload must be joined and is not given (--projection ui=FILE)'),
    );
    expect(lacking({ rows: {}, more: { requireProjections: ['durable'] } })).toEqual(
      undecided('the durable rows must be joined and are not given (--projection durable=FILE)'),
    );
  });

  test('totals without durable rows; only the number of its own events can be counted', () => {
    const { ui } = projections();
    expect(lacking({ rows: { ui } })).toEqual(
      undecided(
        'model calls, tool calls, text deltas, input tokens, output tokens of the UI payload cannot be added up: the durable rows are not given',
      ),
    );
    const only = (events: number) => [...ui.slice(0, -1), { ...ui.at(-1), totals: { events } } as ProjectionRow];
    expect(judge({ rows: { ui: only(9) } }).status).toBe('passed');
    expect(judge({ rows: { ui: only(8) } }).findings.map(({ observed }) => observed)).toEqual(['8']);
  });

  test('tokens that a stored model call does not tell', () => {
    const rows = cut((all) => {
      all.durable[2] = { ...all.durable[2], inputTokens: undefined } as ProjectionRow;
      all.live[9] = { ...all.live[9], totals: { events: 9 } } as ProjectionRow;
      all.ui[9] = { ...all.ui[9], totals: { events: 9 } } as ProjectionRow;
    });
    expect(lacking({ rows })).toEqual(
      undecided(
        'input tokens of the durable rows cannot be added up: not every model call in the durable rows tells them',
      ),
    );
  });

  test('a trace without run id, without indices, or without conversation', () => {
    const stripped = (key: string) => projectedStory((span) => setAttributes(span, { [key]: undefined }));
    expect(lacking({ spans: stripped(ownAttributes.runId) })).toEqual(
      undecided(
        'no span names its run (otel_eval.run.id), so no row of a projection can be found; otel-eval/instrument stamps it',
      ),
    );
    expect(lacking({ spans: stripped(ownAttributes.segment) })[0]).toBe('inconclusive');
    const bare = projectedStory((span) => {
      span.events = [];
      setAttributes(span, { [ownAttributes.segment]: undefined, [ownAttributes.eventIndex]: undefined });
    });
    expect(lacking({ spans: bare })).toEqual(
      undecided(
        'no span carries otel_eval.event.index, by which projections are joined; otel-eval/instrument stamps it'.replace(
          'no span carries',
          '7 steps ("invoke_agent order-support" first) without',
        ),
      ),
    );
    const [status, findings, missing] = lacking({ spans: stripped('gen_ai.conversation.id') });
    expect([status, findings]).toEqual(['inconclusive', []]);
    expect(missing).toContain(
      'projection: the trace names no conversation (gen_ai.conversation.id), and the UI payload does',
    );
  });

  test('an event that is not here, of a trace that may not be whole', () => {
    const spans = projectedStory().filter(({ id }) => id !== '6');
    const remote: ViewOptions = { kind: 'tempo', facts: { remote: true } };
    const { status, findings, missing } = judge({ spans, options: remote });
    expect([status, findings, missing.map(({ kind }) => kind)]).toEqual(['inconclusive', [], ['completeness']]);
    // The same trace as a file is as the app made it.
    expect(judge({ spans }).findings.map(({ code }) => code.split('/')[1])).toContain('projection-event-unknown');
  });

  test('two segments, and rows that do not say of which they are', () => {
    const spans = projectedStory((span) => {
      if (span.id === '5') {
        setAttributes(span, { [ownAttributes.segment]: '00000000000000e2', [ownAttributes.eventIndex]: 0 });
      }
      if (span.id === '6') setAttributes(span, { [ownAttributes.eventIndex]: 5 });
      if (span.id === '1') span.events = [delta(6), delta(7)];
    });
    const at = (row: ProjectionRow, index: number, change: object) => ({ ...row, eventIndex: index, ...change });
    const moved = (say: boolean) =>
      cut((all) => {
        for (const kind of ['live', 'durable', 'ui'] as const) {
          const list = all[kind];
          list[5] = at(
            list[5]!,
            0,
            say ? { segment: '00000000000000e2' } : { segment: undefined, spanId: undefined },
          ) as ProjectionRow;
          for (const index of [6, 7, 8]) list[index] = at(list[index]!, index - 1, {}) as ProjectionRow;
        }
      });
    expect(judge({ rows: moved(true), spans }).status).toBe('passed');
    const said = (projection: string) =>
      `the spans of the run are of 2 segments, and 1 row of ${projection} do not say of which; put otel_eval.segment into them`;
    const three = ['the live stream', 'the durable rows', 'the UI payload'];
    expect(lacking({ rows: moved(false), spans })).toEqual(undecided(...three.map(said)));
  });
});

test('text deltas take indices of their own, which are no gap', () => {
  const spans = projectedStory((span) => {
    if (span.id === '1') span.events = [delta(7)];
    if (span.id === '6') setAttributes(span, { [ownAttributes.eventIndex]: 8 });
    if (span.id === '5') setAttributes(span, { [ownAttributes.eventIndex]: 6 });
    if (span.id === '4') setAttributes(span, { [ownAttributes.eventIndex]: 5 });
    if (span.id === '3') setAttributes(span, { [ownAttributes.eventIndex]: 4 });
  });
  const codes = (list: readonly SpanSketch[]) =>
    executionTraceJoined
      .evaluate(viewOf(list), { children: 'reachable' })
      .findings.map(({ code, arguments: args }) => [code, args['first']]);
  expect(codes(spans)).toEqual([['execution-trace-joined/event-index-gap', 3]]);
  spans.find(({ id }) => id === '1')!.events = [delta(3), delta(7)];
  expect(codes(spans)).toEqual([]);
});

describe('rows that cannot be read are refused with their place', () => {
  const issues = (change: (rows: Rows) => void) =>
    executionTraceJoined.parameters.safeParse({ projections: cut(change) }).error?.issues.length ?? 0;

  test.each([
    ['a row of another kind', (all: Rows) => all.ui.splice(0, 1, all.live[0]!)],
    [
      'an interface row without group',
      (all: Rows) => all.ui.splice(0, 1, { ...all.ui[0]!, group: undefined } as never),
    ],
    ['a column that may hold content', (all: Rows) => all.live.splice(0, 1, { ...all.live[0]!, text: 'hi' } as never)],
    ['an id that is none', (all: Rows) => all.live.splice(0, 1, { ...all.live[0]!, traceId: 'abc' } as never)],
    ['totals without events', (all: Rows) => all.live.splice(9, 1, { ...all.live[9]!, totals: {} } as never)],
  ])('%s', (_, change) => {
    expect(issues(change)).toBe(1);
    expect(totals.events).toBe(9);
  });
});
