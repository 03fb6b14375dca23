/** Every way in which we could not look. A finding says the app is wrong; an error says that nothing was decided. */
export type ErrorCode =
  | 'OTEL_EVAL_USAGE' // a flag or argument is wrong
  | 'OTEL_EVAL_SUITE' // a suite or configuration file is wrong
  | 'OTEL_EVAL_NOT_A_TRACE' // the input is something else, or unreadable as what it claims to be
  | 'OTEL_EVAL_BAD_FIELD' // a trace file holds a field that cannot be read
  | 'OTEL_EVAL_TOO_LARGE' // a bound on size, depth or count was passed
  | 'OTEL_EVAL_IO' // a file could not be read or written
  | 'OTEL_EVAL_AUTH' // the server refused our credentials, or wants some
  | 'OTEL_EVAL_BAD_QUERY' // the server refused the question
  | 'OTEL_EVAL_WRONG_SERVER' // what answered is not the kind of server it should be
  | 'OTEL_EVAL_UNAVAILABLE' // no answer until the deadline
  | 'OTEL_EVAL_COMMAND' // the command under test failed
  | 'OTEL_EVAL_TARGET' // the function or endpoint under test broke
  | 'OTEL_EVAL_INTERNAL';

/** Registered, so that two copies of the package know each other's errors. */
const brand = Symbol.for('otel-eval.error');

export interface ErrorPlace {
  /** File, address or flag that the error is about. */
  readonly source?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
  /** Offset in bytes from the start. */
  readonly byte?: number;
  /** Path of the field, as `resourceSpans[0].scopeSpans[0].spans[3].traceId`. */
  readonly field?: string;
}

export interface OtelEvalErrorOptions extends ErrorPlace {
  /** What to do, one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The one error that otel-eval throws on purpose: one sentence (expected, got, where) and a stable code.
 * It carries no content of a trace.
 *
 * @example
 * throw new OtelEvalError('OTEL_EVAL_IO', 'cannot read traces.jsonl: no such file', { source: 'traces.jsonl' });
 */
export class OtelEvalError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly place: ErrorPlace;
  constructor(code: ErrorCode, message: string, options: OtelEvalErrorOptions = {}) {
    const { hint, cause, ...place } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OtelEvalError';
    this.code = code;
    this.hint = hint;
    this.place = place;
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for an `OtelEvalError` of any copy of this package. */
  static is(value: unknown): value is OtelEvalError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
