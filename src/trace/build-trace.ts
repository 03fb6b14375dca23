import { byIdOf, type Linked, linkOrdinarySpans, linkSpans } from './link-spans.ts';
import type { LogRecord } from './log-record.ts';
import { withoutPending } from './pending-span.ts';
import { splitSharedIds } from './shared-span-id.ts';
import type { Span } from './span.ts';
import { inspectSymbol } from './span-text.ts';
import type { OrphanSpan, RepeatedSpan, Trace } from './trace.ts';
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
  const facts = { traceId, rows: rows.length, pendingRows, unfinished, logs: inOrderOfTime(logs) };
  const ordinary = linkOrdinarySpans(separate);
  if (ordinary !== undefined) return new BuiltTrace(facts, ordinary, noDuplicates);
  const { spans, duplicates, places } = uniqueSpans(separate);
  return new BuiltTrace(facts, linkSpans(spans, places), duplicates);
}

const noDuplicates: readonly RepeatedSpan[] = Object.freeze([]);

type Facts = Pick<Trace, 'traceId' | 'rows' | 'pendingRows' | 'unfinished' | 'logs'>;

class BuiltTrace implements Trace {
  readonly traceId: string;
  readonly rows: number;
  readonly spans: readonly Span[];
  readonly roots: readonly Span[];
  readonly childrenOf: (spanId: string) => readonly Span[];
  readonly orphans: readonly OrphanSpan[];
  readonly duplicates: readonly RepeatedSpan[];
  readonly cycles: readonly (readonly string[])[];
  readonly open: readonly Span[];
  readonly pendingRows: number;
  readonly unfinished: readonly string[];
  readonly logs: readonly LogRecord[];
  #spansById: ReadonlyMap<string, Span> | undefined;

  constructor(facts: Facts, linked: Linked, duplicates: readonly RepeatedSpan[]) {
    this.traceId = facts.traceId;
    this.rows = facts.rows;
    this.spans = linked.spans;
    this.#spansById = linked.spansById;
    this.roots = linked.roots;
    this.childrenOf = linked.childrenOf;
    this.orphans = linked.orphans;
    this.duplicates = duplicates;
    this.cycles = linked.cycles;
    this.open = linked.spans.filter((span) => span.endUnixNano === undefined);
    this.pendingRows = facts.pendingRows;
    this.unfinished = facts.unfinished;
    this.logs = facts.logs;
  }

  get spansById(): ReadonlyMap<string, Span> {
    this.#spansById ??= byIdOf(this.spans);
    return this.#spansById;
  }
}

// Traces print as a tree.
Object.defineProperty(BuiltTrace.prototype, inspectSymbol, {
  value(this: Trace): string {
    return traceText(this);
  },
});

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
