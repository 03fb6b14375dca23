import type { Span } from '../../trace/span.ts';
import type { Finding } from '../verdict.ts';
import { counted, nameOf } from '../wording.ts';
import { type Judged, lackingProjection } from './judged-projections.ts';
import { projectionFinding as finding } from './projection-finding.ts';
import type { EventRow } from './projection-row.ts';
import { projectionNames } from './projection-sentences.ts';
import type { RunRows } from './run-rows.ts';
import { eventKey, type TraceEvent, type TraceEvents } from './trace-events.ts';

/** A row and the event of the trace that it tells of. */
interface Pair {
  readonly row: EventRow;
  readonly event: TraceEvent;
}

/** The key of a row's event; `undefined` where the run has several segments and the row does not say which. */
export function keyOf(
  { segment, spanId, eventIndex }: EventRow,
  { segments, bySpan }: TraceEvents,
): string | undefined {
  if (segment !== undefined) return eventKey(segment, eventIndex);
  const bySpanId = spanId === undefined ? undefined : bySpan.get(spanId)?.key.split('#')[0];
  const own = bySpanId ?? (segments.length === 1 ? segments[0] : undefined);
  return own === undefined ? undefined : eventKey(own, eventIndex);
}

/** What the rows of one projection say of single events, beside what the trace says. */
export function rowRules(rows: RunRows, trace: TraceEvents, traceIds: readonly string[]): Judged {
  const projection = projectionNames[rows.kind];
  const pairs: Pair[] = [];
  const unknown: EventRow[] = [];
  let unplaced = 0;
  for (const row of rows.events) {
    const key = keyOf(row, trace);
    const event = key === undefined ? undefined : trace.byKey.get(key);
    if (key === undefined) unplaced += 1;
    else if (event === undefined) unknown.push(row);
    else pairs.push({ row, event });
  }
  const shortened = unknown.filter(({ event }) => event === 'text_delta' && trace.shortened.length > 0);
  const nowhere = unknown.filter((row) => !shortened.includes(row));
  const [first] = nowhere;
  return {
    violated: [...traceIdRule(rows, traceIds), ...pairRules(projection, pairs)],
    whole:
      first === undefined
        ? []
        : [
            finding('projection-event-unknown', {
              arguments: { projection, rows: nowhere.length, index: first.eventIndex },
              spans: [],
            }),
          ],
    missing: [
      ...(unplaced > 0 ? [lackingProjection(segmentsUntold(projection, unplaced, trace))] : []),
      ...(shortened.length > 0
        ? [lackingProjection(eventsDropped(projection, shortened.length, trace.shortened))]
        : []),
    ],
  };
}

function segmentsUntold(projection: string, rows: number, { segments }: TraceEvents): string {
  return `the spans of the run are of ${counted(segments.length, 'segment')}, and ${counted(rows, 'row')} of ${projection} do not say of which; put otel_eval.segment into them`;
}

function eventsDropped(projection: string, deltas: number, shortened: readonly Span[]): string {
  return `${counted(deltas, 'text delta')} of ${projection} cannot be looked for: the SDK dropped events of ${nameOf(shortened[0])}; raise its limit of events on a span (OTEL_SPAN_EVENT_COUNT_LIMIT)`;
}

function traceIdRule({ kind, events }: RunRows, traceIds: readonly string[]): readonly Finding[] {
  const elsewhere = events.filter(({ traceId }) => traceId !== undefined && !traceIds.includes(traceId));
  if (elsewhere.length === 0) return [];
  const args = { projection: projectionNames[kind], rows: elsewhere.length, traceId: traceIds[0] ?? '' };
  return [finding('projection-trace-id-differs', { arguments: args, spans: [] })];
}

function pairRules(projection: string, pairs: readonly Pair[]): readonly Finding[] {
  const deltaSpans = pairs.filter(({ row, event }) => row.event === 'text_delta' && !event.isDelta);
  const otherSpan = pairs.filter(({ row, event }) => row.spanId !== undefined && row.spanId !== event.span.spanId);
  const otherEvent = pairs.filter(
    ({ row, event }) => row.event !== 'text_delta' && event.event !== undefined && row.event !== event.event,
  );
  const told = (found: readonly Pair[], make: (first: Pair, shared: Shared) => Finding): readonly Finding[] => {
    const [first] = found;
    if (first === undefined) return [];
    const { index, span } = first.event;
    return [make(first, { projection, rows: found.length, index, name: nameOf(span) })];
  };
  const spansOf = (found: readonly Pair[]) => [...new Set(found.map(({ event }) => event.span))];
  return [
    ...told(deltaSpans, (_, shared) =>
      finding('text-delta-is-span', { arguments: shared, spans: spansOf(deltaSpans) }),
    ),
    ...told(otherSpan, (_, shared) =>
      finding('projection-span-differs', { arguments: shared, spans: spansOf(otherSpan) }),
    ),
    ...told(otherEvent, ({ row, event }, shared) =>
      finding('projection-event-differs', {
        arguments: { ...shared, said: row.event, is: event.event ?? 'step' },
        spans: spansOf(otherEvent),
      }),
    ),
  ];
}

interface Shared {
  readonly projection: string;
  readonly rows: number;
  readonly index: number;
  readonly name: string;
}
