import { mostProblems } from '../../src/trace/otlp-reading.ts';
import type { Span } from '../../src/trace/span.ts';
import type { InputProblem, InputReading } from '../../src/trace/trace-set.ts';
import { lostRowsOf } from './lost-rows.ts';
import type { TraceReading } from './trace-reading.ts';

/** One input while it is read, and what is told of it in the end. */
export class InputState {
  readonly label: string;
  /** `+gzip`, `+zstd`, or nothing. */
  readonly compression: string;
  /** A line, message or the bytes between were cut off or lost: spans of any trace in it may be missing. */
  cut = false;
  /** Only a backend writes this form. */
  remote = false;
  rows = 0;
  /** Rows of spans without readable ids. */
  lostRows = 0;
  metrics = 0;
  #form: string | undefined;
  #shape = '';
  #pieces = 0;
  #spans = 0;
  #logs = 0;
  #notFound = false;
  #moreProblems = 0;
  readonly #problems: InputProblem[] = [];

  constructor(label: string, compression: string) {
    this.label = label;
    this.compression = compression;
  }

  note(reading: TraceReading, shape: '' | 'lines' | 'array' | 'framed'): void {
    const { batch } = reading;
    this.#form ??= reading.form;
    this.#shape = shape;
    this.#pieces += 1;
    this.remote ||= reading.remote;
    this.rows += batch.spans.length;
    this.metrics += batch.metrics;
    this.#logs += batch.logs.length;
    this.#notFound ||= reading.serverSays === 'not-found';
    this.#moreProblems += batch.moreProblems;
    this.lostRows += lostRowsOf(batch.problems).size;
    for (const problem of batch.problems) this.problem(problem);
  }

  problem(problem: InputProblem): void {
    if (this.#problems.length < mostProblems) this.#problems.push(problem);
    else this.#moreProblems += 1;
  }

  /** All rows of one trace. */
  countSpans(rows: readonly Span[]): void {
    this.#spans += rows.length < 2 ? rows.length : new Set(rows.map((row) => row.spanId)).size;
  }

  get reading(): InputReading {
    const problems = [...this.#problems];
    if (this.#moreProblems > 0) {
      problems.push({ code: 'more-problems', message: `${this.#moreProblems} more problems are not listed`, at: '' });
    }
    if (this.#form !== undefined && this.rows === 0) problems.push(this.#whyNoSpans());
    return { input: this.label, format: this.#format(), rows: this.rows, spans: this.#spans, problems };
  }

  #whyNoSpans(): InputProblem {
    if (this.#notFound) {
      return { code: 'not-found', message: 'the server had no span of the trace when it gave this answer', at: '' };
    }
    const others = [
      this.#logs > 0 ? `${this.#logs} log records` : '',
      this.metrics > 0 ? `${this.metrics} metrics` : '',
    ];
    const held = others.filter(Boolean).join(' and ') || 'none';
    return { code: 'no-spans', message: `expected spans with readable ids, got ${held}`, at: '' };
  }

  #format(): string {
    if (this.#form === undefined) return 'unknown';
    const shape = this.#shape !== '' && (this.#pieces > 1 || this.#shape !== 'lines') ? `-${this.#shape}` : '';
    return `${this.#form}${shape}${this.compression}`;
  }
}
