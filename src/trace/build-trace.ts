import { linkOrdinarySpans, linkSpans } from './link-spans.ts';
import type { LogRecord } from './log-record.ts';
import { withoutPending } from './pending-span.ts';
import { splitSharedIds } from './shared-span-id.ts';
import type { Span } from './span.ts';
import { inspectSymbol } from './span-text.ts';
import type { Trace } from './trace.ts';
import { traceText } from './trace-text.ts';
import { uniqueSpans } from './unique-spans.ts';

/**
 * The traces that rows and records belong to, by trace id, in order of first appearance. A trace id that only log
 * records carry makes no trace.
 *
 * @example
 * const { spans, logs } = decodeOtlpJson(text);
 * for (const trace of buildTraces(spans, logs).values()) console.log(trace.roots.length);
 */
export function buildTraces(rows: Iterable<Span>, logs: Iterable<LogRecord> = []): Map<string, Trace> {
  const rowsById = new Map<string, Span[]>();
  for (const row of rows) {
    const list = rowsById.get(row.traceId);
    if (list === undefined) rowsById.set(row.traceId, [row]);
    else list.push(row);
  }
  const logsById = new Map<string, LogRecord[]>();
  for (const record of logs) {
    const list = logsById.get(record.traceId);
    if (list === undefined) logsById.set(record.traceId, [record]);
    else list.push(record);
  }
  const traces = new Map<string, Trace>();
  for (const [traceId, list] of rowsById) traces.set(traceId, buildTrace(traceId, list, logsById.get(traceId)));
  return traces;
}

/**
 * One trace from all of its rows, as read by one reading (rows that share an id and differ are a conflict, in whatever
 * they differ). Time and memory grow linearly with the rows.
 */
export function buildTrace(traceId: string, rows: readonly Span[], logs: readonly LogRecord[] = []): Trace {
  const { real, pendingRows, unfinished } = withoutPending(rows);
  const separate = splitSharedIds(real);
  const ordinary = linkOrdinarySpans(separate);
  if (ordinary !== undefined) {
    return finish({ traceId, rows: rows.length, ...ordinary, duplicates: [], pendingRows, unfinished }, logs);
  }
  const { spans, duplicates } = uniqueSpans(separate);
  return finish({ traceId, rows: rows.length, ...linkSpans(spans), duplicates, pendingRows, unfinished }, logs);
}

function finish(trace: Omit<Trace, 'open' | 'logs'>, logs: readonly LogRecord[]): Trace {
  const open = trace.spans.filter((span) => span.endUnixNano === undefined);
  return Object.assign(Object.create(printable) as object, { ...trace, open, logs: inOrderOfTime(logs) });
}

/** Traces print as a tree. */
const printable = {
  [inspectSymbol](this: Trace): string {
    return traceText(this);
  },
};

function inOrderOfTime(logs: readonly LogRecord[]): readonly LogRecord[] {
  if (logs.length < 2) return logs;
  return [...logs].sort((a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  });
}

function timeOf(record: LogRecord): bigint {
  return record.timeUnixNano === 0n ? record.observedTimeUnixNano : record.timeUnixNano;
}
