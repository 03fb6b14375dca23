import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type {
  EventRow,
  ProjectedEvent,
  ProjectionKind,
  ProjectionRow,
} from '../../src/verdict/projection/projection-row.ts';
import { type SpanSketch, spanId, traceId } from '../view-builder.ts';
import { orderStory, setAttributes } from './order-story.ts';

const segment = '00000000000000e1';
const identity = { runId: 'run-1', conversationId: 'conversation-1' };

/** An event on the span of the run: a piece of its streamed answer. */
export const delta = (index: number) => ({
  name: ownAttributes.textDelta,
  attributes: { [ownAttributes.eventIndex]: index },
});

/** The order story, every span stamped, its answer streamed in two pieces (events 7 and 8 on the root). */
export function projectedStory(change: (span: SpanSketch) => void = () => {}): SpanSketch[] {
  const spans = orderStory().sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
  for (const [index, span] of spans.entries()) {
    const own = {
      [ownAttributes.runId]: identity.runId,
      [ownAttributes.segment]: segment,
      [ownAttributes.eventIndex]: index,
      'gen_ai.conversation.id': identity.conversationId,
    };
    setAttributes(span, own);
    if (span.id === '1') span.events = [delta(7), delta(8)];
    change(span);
  }
  return spans;
}

/** What happened, in order, and on which span. */
const happened: readonly (readonly [ProjectedEvent, string])[] = [
  ['run', '1'],
  ['step', '7'],
  ['model', '2'],
  ['tool', '3'],
  ['model', '4'],
  ['tool', '5'],
  ['model', '6'],
  ['text_delta', '1'],
  ['text_delta', '1'],
];

export const totals = {
  events: 9,
  modelCalls: 3,
  toolCalls: 2,
  textDeltas: 2,
  inputTokens: 300,
  outputTokens: 30,
};

/** The rows of one projection of that run. */
export function rowsOf(kind: ProjectionKind): ProjectionRow[] {
  const events = happened.map(
    ([event, span], eventIndex): EventRow => ({
      kind,
      ...identity,
      event,
      eventIndex,
      segment,
      traceId: traceId('a1'),
      spanId: spanId(span),
      ...(kind === 'durable' && event === 'model' ? { inputTokens: 100, outputTokens: 10 } : {}),
      ...(kind === 'ui' ? { turn: 'turn-1', group: 'group-1' } : {}),
    }),
  );
  return [...events, { kind, ...identity, totals }];
}

export type Rows = Record<ProjectionKind, ProjectionRow[]>;

/** All three projections, with one thing changed. */
export function projections(change: (rows: Rows) => void = () => {}): Rows {
  const rows: Rows = { live: rowsOf('live'), durable: rowsOf('durable'), ui: rowsOf('ui') };
  change(rows);
  return rows;
}
