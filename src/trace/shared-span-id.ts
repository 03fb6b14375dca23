import type { Span } from './span.ts';
import { SpanRecord } from './span-record.ts';

/**
 * Zipkin-style instrumentation gives the SERVER span of a call the id of its CLIENT span. As in Tempo and Jaeger the
 * SERVER span is read as a child of the CLIENT span, and what hung below the shared id hangs below the SERVER span. Its
 * new id is the smallest number that no span of the trace has; with several, in order of start and shared id.
 */
export function splitSharedIds(rows: readonly Span[]): readonly Span[] {
  const shared = sharedIds(rows);
  if (shared.size === 0) return rows;
  const newIds = assignIds(rows, shared);
  return rows.map((row) => {
    if (row.kind === 'server' && newIds.has(row.spanId)) {
      return SpanRecord.of({ ...row, spanId: newIds.get(row.spanId) ?? row.spanId, parentSpanId: row.spanId });
    }
    const parent = row.parentSpanId === undefined ? undefined : newIds.get(row.parentSpanId);
    return parent === undefined ? row : SpanRecord.of({ ...row, parentSpanId: parent });
  });
}

function sharedIds(rows: readonly Span[]): Set<string> {
  const shared = new Set<string>();
  if (!rows.some((row) => row.kind === 'server')) return shared;
  const clients = new Set<string>();
  for (const row of rows) if (row.kind === 'client') clients.add(row.spanId);
  for (const row of rows) if (row.kind === 'server' && clients.has(row.spanId)) shared.add(row.spanId);
  return shared;
}

function assignIds(rows: readonly Span[], shared: ReadonlySet<string>): Map<string, string> {
  const taken = new Set(
    rows.flatMap((row) => (row.parentSpanId === undefined ? [row.spanId] : [row.spanId, row.parentSpanId])),
  );
  const starts = new Map<string, bigint>();
  for (const row of rows) {
    if (row.kind !== 'server' || !shared.has(row.spanId)) continue;
    const known = starts.get(row.spanId);
    if (known === undefined || row.startUnixNano < known) starts.set(row.spanId, row.startUnixNano);
  }
  const inOrder = [...starts].sort(([idA, a], [idB, b]) => (a < b ? -1 : a > b ? 1 : idA < idB ? -1 : 1));
  const newIds = new Map<string, string>();
  let next = 0;
  for (const [spanId] of inOrder) {
    let id: string;
    do {
      next += 1;
      id = next.toString(16).padStart(16, '0');
    } while (taken.has(id));
    newIds.set(spanId, id);
  }
  return newIds;
}
