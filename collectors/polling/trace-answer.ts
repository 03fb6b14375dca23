import type { SourceFacts } from '../../src/trace/completeness.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { Span } from '../../src/trace/span.ts';
import type { InputProblem } from '../../src/trace/trace-set.ts';

/** What a server said when it was asked for one trace. */
export interface TraceAnswer {
  /** Rows as read, repeats included; none where the trace is not there, or not there yet. */
  readonly rows: readonly Span[];
  readonly logs: readonly LogRecord[];
  readonly serverSays: SourceFacts['serverSays'];
  /** Named losses of this answer. */
  readonly losses: readonly string[];
  readonly problems: readonly InputProblem[];
  /** The form of the answer, as `tempo-v2-protobuf`. */
  readonly format: string;
}

/** Not one row: the trace is not there, not there yet, or `serverSays` why. */
export function emptyAnswer(format: string, serverSays?: TraceAnswer['serverSays']): TraceAnswer {
  return { rows: [], logs: [], problems: [], serverSays, losses: [], format };
}

/** The answer that `read` gives; one beyond our own bound on answers is as good as the server saying "too large". */
export async function answerWithinBound(read: () => Promise<TraceAnswer>, format: () => string): Promise<TraceAnswer> {
  try {
    return await read();
  } catch (failure) {
    if (!OtelEvalError.is(failure) || failure.code !== 'OTEL_EVAL_TOO_LARGE') throw failure;
    return { ...emptyAnswer(format(), 'too-large'), losses: [failure.message] };
  }
}
