import type { SourceFacts } from '../../src/trace/completeness.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
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
