import type { FindingSentence } from '../assertion.ts';
import { counted, countedVerb, listed } from '../wording.ts';
import type { ProjectionKind } from './projection-row.ts';

/** As sentences name them. */
export const projectionNames: Readonly<Record<ProjectionKind, string>> = {
  live: 'the live stream',
  durable: 'the durable rows',
  ui: 'the UI payload',
};

type Of<Arguments> = FindingSentence<Arguments & { projection: string }>;

/** An alias, since an interface has no index signature and so is no table. */
export type ProjectionSentences = {
  readonly 'projection-run-id-differs': Of<{ rows: number; index: number }>;
  readonly 'projection-conversation-id-differs': Of<{ rows: number }>;
  readonly 'projection-trace-id-differs': Of<{ rows: number; traceId: string }>;
  readonly 'projection-span-differs': Of<{ rows: number; index: number; name: string }>;
  readonly 'projection-event-differs': Of<{ rows: number; index: number; said: string; name: string; is: string }>;
  readonly 'projection-event-missing': Of<{ missing: number; index: number; name: string }>;
  readonly 'projection-event-unknown': Of<{ rows: number; index: number }>;
  readonly 'projection-event-repeated': Of<{ indices: readonly string[] }>;
  readonly 'projection-out-of-order': Of<{ index: number; before: number }>;
  readonly 'projections-differ': Of<{ other: string; missing: number; index: number }>;
  readonly 'ui-group-of-several-turns': FindingSentence<{ groups: number; turns: number; index: number }>;
  readonly 'total-differs': Of<{ total: string; claimed: number; recomputed: number }>;
  readonly 'text-delta-is-span': Of<{ rows: number; index: number; name: string }>;
  readonly 'text-delta-off-root': FindingSentence<{ deltas: number; name: string }>;
  readonly 'text-delta-out-of-order': FindingSentence<{ name: string; index: number; before: number }>;
};

/** What `ExecutionTraceJoined` says of each way in which a projection is not of the same run as the trace. */
export const projectionSentences: ProjectionSentences = {
  'projection-run-id-differs': {
    expected: ({ projection }) => `${projection} names this run on every row of its spans`,
    observed: ({ rows, index }) => `another run on ${counted(rows, 'row')}, the first has event index ${index}`,
  },
  'projection-conversation-id-differs': {
    expected: ({ projection }) => `${projection} names the conversation of the trace`,
    observed: ({ rows }) => `another one on ${counted(rows, 'row')}`,
  },
  'projection-trace-id-differs': {
    expected: ({ projection, traceId }) => `${projection} names the trace of the run, ${traceId}`,
    observed: ({ rows }) => `another one on ${counted(rows, 'row')}`,
  },
  'projection-span-differs': {
    expected: ({ projection, index, name }) => `${projection} names the span of event ${index}, ${name}`,
    observed: ({ rows }) => `another span; so ${countedVerb(rows, 'row', ['does', 'do'])} in all`,
  },
  'projection-event-differs': {
    expected: ({ projection, index, name, is }) => `${projection} has event ${index}, ${name}, as ${is}`,
    observed: ({ said, rows }) => `as ${said}; ${countedVerb(rows, 'row', ['differs', 'differ'])} in all`,
  },
  'projection-event-missing': {
    expected: ({ projection }) => `every step of the trace in ${projection}`,
    observed: ({ missing, index, name }) => `${missing} missing, the first is event ${index}, ${name}`,
  },
  'projection-event-unknown': {
    expected: ({ projection }) => `every event of ${projection} in the trace`,
    observed: ({ rows, index }) => `${countedVerb(rows, 'row', ['has', 'have'])} none, the first is event ${index}`,
  },
  'projection-event-repeated': {
    expected: ({ projection }) => `each event once in ${projection}`,
    observed: ({ indices }) => `several rows of event ${listed(indices)}`,
  },
  'projection-out-of-order': {
    expected: ({ projection }) => `the events of ${projection} in the order of the trace`,
    observed: ({ index, before }) => `event ${index} stands behind event ${before}`,
  },
  'projections-differ': {
    expected: ({ projection, other }) => `the same events in ${projection} as in ${other}`,
    observed: ({ missing, index }) => `${missing} missing, the first is event ${index}`,
  },
  'ui-group-of-several-turns': {
    expected: () => 'one turn in each group of the UI payload',
    observed: ({ groups, turns, index }) =>
      `${counted(turns, 'turn')} in the group of event ${index}, in ${counted(groups, 'group')} more than one`,
  },
  'total-differs': {
    expected: ({ projection, total, recomputed }) =>
      `${projection} ends with ${total} ${recomputed}, as its rows add up to`,
    observed: ({ claimed }) => `${claimed}`,
  },
  'text-delta-is-span': {
    expected: () => 'text deltas are ordered events of the root, not spans',
    observed: ({ projection, rows, index, name }) =>
      `${countedVerb(rows, 'text delta', ['is a span', 'are spans'])}: event ${index} of ${projection} is ${name}`,
  },
  'text-delta-off-root': {
    expected: () => 'text deltas are events of the root of the run',
    observed: ({ deltas, name }) => `${countedVerb(deltas, 'text delta', ['stands', 'stand'])} elsewhere, on ${name}`,
  },
  'text-delta-out-of-order': {
    expected: ({ name }) => `the text deltas on ${name} in the order of their event indices`,
    observed: ({ index, before }) => `event ${index} stands behind event ${before}`,
  },
};
