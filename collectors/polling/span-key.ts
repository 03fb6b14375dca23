import type { Span } from '../../src/trace/span.ts';

/**
 * What identifies each row from one poll to the next. Usually id and kind. A SERVER span that shared its id with its
 * CLIENT span gets a made-up small id from Tempo and Jaeger, which may differ from poll to poll: such a span is known by
 * its parent, name and times.
 */
export function spanKeys(rows: readonly Span[]): string[] {
  const clients = new Set(rows.filter(({ kind }) => kind === 'client').map(({ spanId }) => spanId));
  return rows.map((row) => {
    const { spanId, kind, parentSpanId } = row;
    const isMadeUp =
      kind === 'server' && spanId.startsWith('000000000000') && parentSpanId !== undefined && clients.has(parentSpanId);
    return isMadeUp ? `${parentSpanId} ${row.startUnixNano} ${row.endUnixNano} ${row.name}` : `${spanId} ${kind}`;
  });
}
