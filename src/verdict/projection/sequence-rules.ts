import type { Finding } from '../verdict.ts';
import { nameOf } from '../wording.ts';
import { projectionFinding as finding } from './projection-finding.ts';
import { projectionNames } from './projection-sentences.ts';
import { keyOf } from './row-rules.ts';
import type { RunRows } from './run-rows.ts';
import type { TraceEvents } from './trace-events.ts';

/** Each event once, in the order of its segment. */
export function sequenceRules({ kind, events }: RunRows, trace: TraceEvents): readonly Finding[] {
  const projection = projectionNames[kind];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const newest = new Map<string, number>();
  let late: { readonly index: number; readonly before: number } | undefined;
  for (const row of events) {
    const key = keyOf(row, trace);
    if (key === undefined) continue;
    if (seen.has(key)) {
      repeated.add(String(row.eventIndex));
      continue;
    }
    seen.add(key);
    const segment = key.slice(0, key.lastIndexOf('#'));
    const before = newest.get(segment);
    if (before !== undefined && row.eventIndex < before) late ??= { index: row.eventIndex, before };
    else newest.set(segment, row.eventIndex);
  }
  return [
    ...(repeated.size > 0
      ? [finding('projection-event-repeated', { arguments: { projection, indices: [...repeated] }, spans: [] })]
      : []),
    ...(late === undefined
      ? []
      : [finding('projection-out-of-order', { arguments: { projection, ...late }, spans: [] })]),
  ];
}

/** Every step of the trace is in the projection; asked of projections that have their end. */
export function missingRule(rows: RunRows, trace: TraceEvents): readonly Finding[] {
  const keys = keysOf(rows, trace);
  const absent = trace.events.filter(({ key, isStep }) => isStep && !keys.has(key));
  const [first] = absent;
  if (first === undefined) return [];
  const args = {
    projection: projectionNames[rows.kind],
    missing: absent.length,
    index: first.index,
    name: first.isDelta ? 'a text delta' : nameOf(first.span),
  };
  return [
    finding('projection-event-missing', { arguments: args, spans: [...new Set(absent.map(({ span }) => span))] }),
  ];
}

/** Spans that are no step may be left out, but by all projections alike. */
export function sameEventsRule(projections: readonly RunRows[], trace: TraceEvents): readonly Finding[] {
  const all = projections.map((rows) => ({ rows, keys: keysOf(rows, trace) }));
  return all.flatMap(({ rows, keys }) => {
    const optional = trace.events.filter(({ key, isStep }) => !isStep && !keys.has(key));
    for (const other of all) {
      const absent = optional.filter(({ key }) => other.keys.has(key));
      const [first] = absent;
      if (first === undefined) continue;
      const args = {
        projection: projectionNames[rows.kind],
        other: projectionNames[other.rows.kind],
        missing: absent.length,
        index: first.index,
      };
      return [finding('projections-differ', { arguments: args, spans: absent.map(({ span }) => span) })];
    }
    return [];
  });
}

function keysOf({ events }: RunRows, trace: TraceEvents): ReadonlySet<string> {
  return new Set(events.flatMap((row) => keyOf(row, trace) ?? []));
}
