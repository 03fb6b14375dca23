import { buildTrace } from '../../src/trace/build-trace.ts';
import type { SourceFacts } from '../../src/trace/completeness.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { cutValues } from '../../src/trace/cut-values.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import type { Span } from '../../src/trace/span.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { InputState } from './input-state.ts';
import type { TraceReading } from './trace-reading.ts';

/** What has been read of one trace id and not been handed over. */
interface OpenTrace {
  readonly traceId: string;
  /** Traces are handed over in the order in which they began. */
  readonly order: number;
  readonly rows: Map<InputState, Span[]>;
  readonly logs: LogRecord[];
  readonly losses: Set<string>;
  remote: boolean;
  serverSays: SourceFacts['serverSays'];
}

/** What a source is, whatever is in it. */
export type SourceNature = Pick<SourceFacts, 'remote' | 'ended' | 'quiet' | 'cut'>;

/** Traces that are being read, until they are whole. */
export class TraceGroups {
  readonly #open = new Map<string, OpenTrace>();
  readonly #looseLogs: LogRecord[];
  #began: string[] = [];
  #order = 0;
  readonly #nature: SourceNature;

  /** @param looseLogs gets the records that belong to no trace here */
  constructor(looseLogs: LogRecord[], nature: SourceNature) {
    this.#looseLogs = looseLogs;
    this.#nature = nature;
  }

  /** Ids of traces that are open, in the order in which they began. */
  ids(): string[] {
    return [...this.#open.keys()];
  }

  /** Gives the ids of the traces that begin with this reading. */
  add(reading: TraceReading, input: InputState): readonly string[] {
    this.#began = [];
    for (const span of reading.batch.spans) {
      const open = this.#opened(span.traceId);
      const rows = open.rows.get(input);
      if (rows === undefined) {
        open.rows.set(input, [span]);
        this.#note(open, reading);
      } else rows.push(span);
      if (reading.remote) for (const loss of cutValues(span)) open.losses.add(loss);
      if (reading.serverSays !== undefined) open.serverSays = reading.serverSays;
    }
    for (const log of reading.batch.logs) {
      if (log.traceId === '') this.#looseLogs.push(log);
      else this.#opened(log.traceId).logs.push(log);
    }
    return this.#began;
  }

  #note(open: OpenTrace, reading: TraceReading): void {
    open.remote ||= reading.remote;
    for (const loss of reading.losses) open.losses.add(loss);
  }

  #opened(traceId: string): OpenTrace {
    let open = this.#open.get(traceId);
    if (open === undefined) {
      open = {
        traceId,
        order: this.#order,
        rows: new Map(),
        logs: [],
        losses: new Set(),
        remote: false,
        serverSays: undefined,
      };
      this.#open.set(traceId, open);
      this.#began.push(traceId);
      this.#order += 1;
    }
    return open;
  }

  /** The traces with these ids, whole; those of which there is no span give their records to the loose ones. */
  take(traceIds: readonly string[]): CollectedTrace[] {
    const found = traceIds.flatMap((traceId) => this.#open.get(traceId) ?? []).sort((a, b) => a.order - b.order);
    const taken: CollectedTrace[] = [];
    for (const open of found) {
      this.#open.delete(open.traceId);
      if (open.rows.size === 0) this.#looseLogs.push(...open.logs);
      else taken.push(collected(open, this.#nature));
    }
    return taken;
  }
}

function collected(open: OpenTrace, nature: SourceNature): CollectedTrace {
  for (const [input, rows] of open.rows) input.countSpans(rows);
  const trace = buildTrace(open.traceId, rowsOf(open), open.logs);
  const inputs = [...open.rows.keys()];
  const facts: SourceFacts = {
    ...nature,
    remote: nature.remote || open.remote,
    cut: nature.cut || inputs.some((input) => input.cut || input.lostRows > 0),
    losses: [...open.losses, ...inputs.flatMap(lostRowsSentence)],
    ...(open.serverSays === undefined ? {} : { serverSays: open.serverSays }),
  };
  return { trace, facts, completeness: completenessOf(trace, facts) };
}

function lostRowsSentence({ label, lostRows }: InputState): string[] {
  if (lostRows === 0) return [];
  return [
    lostRows === 1 ? `1 row of ${label} has no readable ids` : `${lostRows} rows of ${label} have no readable ids`,
  ];
}

/**
 * The rows of all inputs. A backend changes what it stores, so that a span that also stands in an input before it, or
 * in one that no backend wrote, is no conflict: that one counts.
 */
function rowsOf(open: OpenTrace): readonly Span[] {
  const inputs = [...open.rows.entries()];
  const [only] = inputs;
  if (inputs.length === 1 && only !== undefined) return only[1];
  const exact = inputs.filter(([input]) => !input.remote).flatMap(([, rows]) => rows);
  const seen = new Set(exact.map((span) => span.spanId));
  const kept = [...exact];
  for (const [, rows] of inputs.filter(([input]) => input.remote)) {
    const fresh = rows.filter((span) => !seen.has(span.spanId));
    kept.push(...fresh);
    for (const span of fresh) seen.add(span.spanId);
  }
  return kept;
}
