import { z } from 'zod';

/** Which other view of a run: what was streamed, what was stored, what an interface shows. */
export type ProjectionKind = 'live' | 'durable' | 'ui';
export const projectionKinds: readonly ProjectionKind[] = ['live', 'durable', 'ui'];

/** `run` the span of the agent itself, `text_delta` a piece of streamed text, `step` any other span. */
export type ProjectedEvent = 'run' | 'model' | 'tool' | 'step' | 'text_delta';

interface Identified {
  readonly kind: ProjectionKind;
  readonly runId: string;
  readonly conversationId: string;
}

/** One event of a run, as a projection holds it. */
export interface EventRow extends Identified {
  readonly event: ProjectedEvent;
  readonly eventIndex: number;
  readonly segment?: string | undefined;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly turn?: string | undefined;
  readonly group?: string | undefined;
}

/** What a projection claims of a whole run. */
export interface Totals {
  readonly events: number;
  readonly modelCalls?: number | undefined;
  readonly toolCalls?: number | undefined;
  readonly textDeltas?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** The last row of a run: without it the projection was cut off. */
export interface EndRow extends Identified {
  readonly totals: Totals;
}

export type ProjectionRow = EventRow | EndRow;

const text = z.string().min(1);
const count = z.int().min(0);
const hex = (digits: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`), { error: `expected ${digits} lower-case hex digits` });

const identity = {
  runId: text.describe('otel_eval.run.id of the run.'),
  conversationId: text.describe('gen_ai.conversation.id of the run.'),
};

function eventShape<Kind extends ProjectionKind>(kind: Kind) {
  return {
    kind: z.literal(kind).describe('Which projection the row is of.'),
    ...identity,
    event: z
      .enum(['run', 'model', 'tool', 'step', 'text_delta'])
      .describe('What happened: the run itself, a model or tool call, another span, or a piece of streamed text.'),
    eventIndex: count.describe('otel_eval.event.index of its span, or of its event on the span of the run.'),
    segment: text.optional().describe('otel_eval.segment; needed where the spans of a run are of several.'),
    traceId: hex(32).optional().describe('Trace id, where the projection holds it.'),
    spanId: hex(16).optional().describe('Span id, where the projection holds it; of a text delta that of the root.'),
    inputTokens: count.optional().describe('Of a model call.'),
    outputTokens: count.optional().describe('Of a model call.'),
  };
}

const turn = text.describe('The turn of the conversation to which the event belongs.');
const group = text.describe('What the interface shows as one: it holds one turn.');

/** The schema of an event row; a row of an interface also says its turn and its group. */
export const eventRowSchemas: Readonly<Record<ProjectionKind, z.ZodType<EventRow>>> = {
  live: z.strictObject({ ...eventShape('live'), turn: turn.optional() }),
  durable: z.strictObject({ ...eventShape('durable'), turn: turn.optional() }),
  ui: z.strictObject({ ...eventShape('ui'), turn, group }),
};

const totals: z.ZodType<Totals> = z.strictObject({
  events: count.describe('Event rows of the run.'),
  modelCalls: count.optional().describe('Rows of model calls.'),
  toolCalls: count.optional().describe('Rows of tool calls.'),
  textDeltas: count.optional().describe('Rows of text deltas.'),
  inputTokens: count.optional().describe('Input tokens of all model calls.'),
  outputTokens: count.optional().describe('Output tokens of all model calls.'),
});

function endRowSchema(kind: ProjectionKind): z.ZodType<EndRow> {
  return z.strictObject({
    kind: z.literal(kind).describe('Which projection the row is of.'),
    ...identity,
    totals: totals.describe('Ends the run: what the projection says of all of it.'),
  });
}

export const endRowSchemas: Readonly<Record<ProjectionKind, z.ZodType<EndRow>>> = {
  live: endRowSchema('live'),
  durable: endRowSchema('durable'),
  ui: endRowSchema('ui'),
};

/** The rows of projections, by kind. A kind that is there is judged, also where it has no rows. */
export type Projections = Readonly<Partial<Record<ProjectionKind, readonly ProjectionRow[] | undefined>>>;

function rows(kind: ProjectionKind, what: string) {
  return z
    .array(z.union([eventRowSchemas[kind], endRowSchemas[kind]]))
    .optional()
    .describe(what);
}

export const projectionsSchema: z.ZodType<Projections> = z.strictObject({
  live: rows('live', 'What was streamed while the run went on.'),
  durable: rows('durable', 'What was stored.'),
  ui: rows('ui', 'What an interface or inspector was given.'),
});

export function isEnd(row: ProjectionRow): row is EndRow {
  return 'totals' in row;
}
