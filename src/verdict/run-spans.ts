import type { Run } from '../agent/run.ts';
import type { Span } from '../trace/span.ts';

/** How many spans a verdict about a whole run has looked at. */
export function spansExamined(run: Run): number {
  return run.traces.reduce((sum, trace) => sum + trace.spans.length, 0);
}

/** All spans of a run, trace by trace in causal order; without a copy where there is one trace. */
export function spansOf(run: Run): readonly Span[] {
  const [only] = run.traces;
  return only !== undefined && run.traces.length === 1 ? only.spans : run.traces.flatMap((trace) => trace.spans);
}
