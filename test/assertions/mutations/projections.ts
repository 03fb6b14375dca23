import { ownAttributes } from '../../../src/trace/own-attributes.ts';
import type { EndRow, EventRow, ProjectionRow } from '../../../src/verdict/projection/projection-row.ts';
import { type SpanSketch, spanId, traceId } from '../../view-builder.ts';
import { setAttributes } from '../order-story.ts';
import { delta, projectedStory, projections, type Rows, totals } from '../projected-story.ts';
import type { ExpectedFinding, Mutation } from './mutation.ts';

interface Change {
  readonly what: string;
  readonly rows?: (rows: Rows) => void;
  readonly spans?: (span: SpanSketch) => void;
  readonly findings: readonly ExpectedFinding[];
}

/** The story with all three projections passes; so it does not with one change to a row or to a span. */
function mutation({ what, rows, spans, findings }: Change): Mutation {
  return {
    what,
    parametersBefore: { projections: projections() },
    parameters: { projections: projections(rows) },
    before: projectedStory(),
    after: projectedStory(spans),
    findings,
  };
}

const live = 'the live stream';
const durable = 'the durable rows';
const ui = 'the UI payload';

const set = (list: ProjectionRow[], at: number, change: Partial<EventRow> | Partial<EndRow>) => {
  list[at] = { ...list[at], ...change } as ProjectionRow;
};
/** Another span, of nobody. */
const nobody = 'f'.repeat(16);

const identity: readonly Change[] = [
  {
    what: 'a row names another run',
    rows: ({ ui: list }) => set(list, 3, { runId: 'run-2' }),
    findings: [
      { code: 'ui-group-of-several-turns', arguments: { groups: 1, turns: 2, index: 0 }, spans: [] },
      {
        code: 'projection-run-id-differs',
        arguments: { projection: ui, rows: 1, index: 3 },
        spans: ['3'],
      },
      {
        code: 'projection-event-missing',
        arguments: { projection: ui, missing: 1, index: 3, name: '"execute_tool lookup_order"' },
        spans: ['3'],
      },
    ],
  },
  {
    what: 'the stored rows are of another conversation',
    rows: (all) => {
      all.durable = all.durable.map((row) => ({ ...row, conversationId: 'conversation-2' }));
    },
    findings: [{ code: 'projection-conversation-id-differs', arguments: { projection: durable, rows: 10 }, spans: [] }],
  },
  {
    what: 'the trace is of another conversation than the rows',
    spans: (span) => setAttributes(span, { 'gen_ai.conversation.id': 'conversation-2' }),
    findings: [live, durable, ui].map((projection) => ({
      code: 'projection-conversation-id-differs',
      arguments: { projection, rows: 10 },
      spans: [],
    })),
  },
  {
    what: 'a row names another trace',
    rows: ({ live: list }) => set(list, 2, { traceId: traceId('b2') }),
    findings: [
      {
        code: 'projection-trace-id-differs',
        arguments: { projection: live, rows: 1, traceId: traceId('a1') },
        spans: [],
      },
    ],
  },
  {
    what: 'a row names another span',
    rows: ({ durable: list }) => set(list, 5, { spanId: nobody }),
    findings: [
      {
        code: 'projection-span-differs',
        arguments: { projection: durable, rows: 1, index: 5, name: '"execute_tool issue_refund"' },
        spans: ['5'],
      },
    ],
  },
  {
    what: 'an orphan span of the same run',
    spans: (span) => {
      if (span.id === '5') span.parent = '9';
    },
    findings: [
      {
        code: 'orphan-span',
        arguments: {
          name: '"execute_tool issue_refund"',
          parentSpanId: spanId('9'),
          orphans: 1,
          spans: 7,
          remoteParent: false,
        },
        spans: ['5'],
      },
    ],
  },
];

const events: readonly Change[] = [
  {
    what: 'a tool call is shown as a model call',
    rows: ({ ui: list }) => set(list, 5, { event: 'model' }),
    findings: [
      {
        code: 'projection-event-differs',
        arguments: {
          projection: ui,
          rows: 1,
          index: 5,
          said: 'model',
          name: '"execute_tool issue_refund"',
          is: 'tool',
        },
        spans: ['5'],
      },
    ],
  },
  {
    what: 'a step did not reach the live stream',
    rows: ({ live: list }) => list.splice(4, 1),
    findings: [
      {
        code: 'projection-event-missing',
        arguments: { projection: live, missing: 1, index: 4, name: '"chat scripted-1"' },
        spans: ['4'],
      },
    ],
  },
  {
    what: 'a text delta did not reach the interface',
    rows: ({ ui: list }) => list.splice(8, 1),
    findings: [
      {
        code: 'projection-event-missing',
        arguments: { projection: ui, missing: 1, index: 8, name: 'a text delta' },
        spans: ['1'],
      },
    ],
  },
  {
    what: 'the stream holds an event that is not in the trace',
    rows: ({ live: list }) => list.splice(9, 0, { ...list[8], event: 'text_delta', eventIndex: 9 } as ProjectionRow),
    findings: [{ code: 'projection-event-unknown', arguments: { projection: live, rows: 1, index: 9 }, spans: [] }],
  },
  {
    what: 'an event is streamed twice',
    rows: ({ live: list }) => list.splice(3, 0, list[3] as ProjectionRow),
    findings: [{ code: 'projection-event-repeated', arguments: { projection: live, indices: ['3'] }, spans: [] }],
  },
  {
    what: 'two events have changed places',
    rows: ({ ui: list }) => list.splice(2, 2, list[3] as ProjectionRow, list[2] as ProjectionRow),
    findings: [{ code: 'projection-out-of-order', arguments: { projection: ui, index: 2, before: 3 }, spans: [] }],
  },
  {
    what: 'two turns in one group of the interface',
    rows: ({ ui: list }) => set(list, 6, { turn: 'turn-2' }),
    findings: [{ code: 'ui-group-of-several-turns', arguments: { groups: 1, turns: 2, index: 0 }, spans: [] }],
  },
];

const sums: readonly Change[] = (
  [
    ['events', 'events', 9],
    ['modelCalls', 'model calls', 3],
    ['toolCalls', 'tool calls', 2],
    ['textDeltas', 'text deltas', 2],
    ['inputTokens', 'input tokens', 300],
    ['outputTokens', 'output tokens', 30],
  ] as const
).map(([key, total, recomputed]) => ({
  what: `the interface claims one more: ${total}`,
  rows: ({ ui: list }) => set(list, 9, { totals: { ...totals, [key]: recomputed + 1 } }),
  findings: [
    {
      code: 'total-differs',
      arguments: { projection: ui, total, claimed: recomputed + 1, recomputed },
      spans: [],
    },
  ],
}));

const deltas: readonly Change[] = [
  {
    what: 'a stored text delta is a span',
    rows: ({ durable: list }) => set(list, 1, { event: 'text_delta' }),
    findings: [
      {
        code: 'text-delta-is-span',
        arguments: { projection: durable, rows: 1, index: 1, name: '"retrieval policies"' },
        spans: ['7'],
      },
      ...[live, durable, ui].map((projection) => ({
        code: 'total-differs',
        arguments: { projection, total: 'text deltas', claimed: 2, recomputed: 3 },
        spans: [],
      })),
    ].toSorted((a, b) => a.spans.length - b.spans.length),
  },
  {
    what: 'text deltas stand on a span below the root',
    spans: (span) => {
      if (span.id === '1') span.events = [];
      if (span.id === '6') span.events = [delta(7), delta(8)];
    },
    findings: [
      ...[live, durable, ui].map((projection) => ({
        code: 'projection-span-differs',
        arguments: { projection, rows: 2, index: 7, name: '"chat scripted-1"' },
        spans: ['6'],
      })),
      {
        code: 'text-delta-off-root',
        arguments: { deltas: 2, name: '"chat scripted-1"' },
        spans: ['6'],
      },
    ].toSorted((a) => (a.code === 'text-delta-off-root' ? -1 : 1)),
  },
  {
    what: 'text deltas of the root have changed places',
    spans: (span) => {
      if (span.id === '1') span.events = [delta(8), delta(7)];
    },
    findings: [
      {
        code: 'text-delta-out-of-order',
        arguments: { name: '"invoke_agent order-support"', index: 7, before: 8 },
        spans: ['1'],
      },
    ],
  },
];

// A span that is no step of the agent may be left out, but by all projections alike.
const requestSpan = (spans: readonly SpanSketch[]): readonly SpanSketch[] => [
  ...spans,
  {
    id: '9',
    parent: '6',
    name: 'POST',
    scope: 'undici',
    start: 320,
    attributes: {
      'http.request.method': 'POST',
      [ownAttributes.segment]: '00000000000000e1',
      [ownAttributes.eventIndex]: 9,
      [ownAttributes.runId]: 'run-1',
    },
  },
];
const withRequest = (rows: Rows, ...kinds: readonly (keyof Rows)[]): void => {
  for (const kind of kinds) {
    rows[kind].splice(9, 0, { ...rows[kind][8], event: 'step', eventIndex: 9, spanId: spanId('9') } as ProjectionRow);
  }
  for (const list of Object.values(rows)) set(list, list.length - 1, { totals: { ...totals, events: 10 } });
};
const unlike: Mutation = {
  what: 'the interface leaves out what the others hold',
  parametersBefore: { projections: projections((rows) => withRequest(rows, 'live', 'durable', 'ui')) },
  parameters: { projections: projections((rows) => withRequest(rows, 'live', 'durable')) },
  before: requestSpan(projectedStory()),
  after: requestSpan(projectedStory()),
  findings: [
    {
      code: 'projections-differ',
      arguments: { projection: ui, other: live, missing: 1, index: 9 },
      spans: ['9'],
    },
  ],
};

export const projectionMutations: readonly Mutation[] = [
  ...[...identity, ...events, ...sums, ...deltas].map(mutation),
  unlike,
];
