import { buildTrace } from '../../src/trace/build-trace.ts';
import type { SourceFacts } from '../../src/trace/completeness.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import { SharedStrings } from '../../src/trace/otlp-reading.ts';
import type { Span } from '../../src/trace/span.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import { LineSplitter } from '../file/line-splitter.ts';
import { StoredBytes } from '../file/stored-bytes.ts';
import type { Journal } from './journal.ts';

interface FollowedTrace {
  readonly rows: Span[];
  readonly logs: LogRecord[];
}

const longestLineBytes = 2 ** 29;

/** What comes into a journal from one moment on. Every byte is read once, however often it is asked for what came. */
export class FollowedJournal {
  readonly #journal: Pick<Journal, 'end' | 'handle'>;
  readonly #label: string;
  readonly #shared = new SharedStrings();
  readonly #traces = new Map<string, FollowedTrace>();
  readonly looseLogs: LogRecord[] = [];
  rows = 0;
  #at: number;
  #reading: Promise<void> = Promise.resolve();

  constructor(journal: Pick<Journal, 'end' | 'handle'>, label: string) {
    this.#journal = journal;
    this.#label = label;
    this.#at = journal.end;
  }

  /** Takes in what came since the last time. */
  readOn(): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#readNew());
    return this.#reading;
  }

  /** All that was taken in, trace by trace, in the order in which they began. */
  *traces(facts: SourceFacts): Generator<CollectedTrace, void, undefined> {
    for (const [traceId, { rows, logs }] of this.#traces) {
      if (rows.length === 0) continue;
      const trace = buildTrace(traceId, rows, logs);
      yield { trace, facts, completeness: completenessOf(trace, facts) };
    }
  }

  /** The journal ends where a line does, so lines are whole. */
  async #readNew(): Promise<void> {
    const [from, to] = [this.#at, this.#journal.end];
    if (from === to) return;
    const splitter = new LineSplitter(longestLineBytes, () => this.#tooLong());
    const bytes = StoredBytes.ofOpenFile(this.#journal.handle, this.#label, { from, to });
    for await (const chunk of bytes.chunks()) {
      for (const line of splitter.push(chunk)) this.#take(line.bytes.toString('utf8'));
    }
    this.#at = to;
  }

  #take(line: string): void {
    const { spans, logs } = decodeOtlpJson(line, { source: this.#label, shared: this.#shared });
    this.rows += spans.length;
    for (const span of spans) this.#of(span.traceId).rows.push(span);
    for (const log of logs) (log.traceId === '' ? this.looseLogs : this.#of(log.traceId).logs).push(log);
  }

  #of(traceId: string): FollowedTrace {
    const followed = this.#traces.get(traceId) ?? { rows: [], logs: [] };
    this.#traces.set(traceId, followed);
    return followed;
  }

  #tooLong(): OtelEvalError {
    const message = `${this.#label}: what was received is longer than ${longestLineBytes} bytes in one line`;
    return new OtelEvalError('OTEL_EVAL_TOO_LARGE', message, { source: this.#label });
  }
}
