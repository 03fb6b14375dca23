import type { Run, ToolCall } from '../agent/run.ts';
import type { Answer } from './argument-match.ts';

/** JavaScript clocks: start times are whole milliseconds, end times are not. */
const toleranceNanos = 1_000_000n;

/**
 * Whether `a`, which stands before `b` in the causal order of the run, had ended when `b` started. Calls that a model
 * asked for together, and calls that overlap, are in no order.
 */
export function happensBefore(a: ToolCall, b: ToolCall, run: Run): Answer {
  if (a.parallelGroup !== null && a.parallelGroup === b.parallelGroup) return 'no';
  const times = byTime(a, b);
  if (times !== 'unknown') return times;
  // Too near to tell by the clock: their turns tell, where the messages show which calls were asked for together.
  const turnsKnown = run.visibility.content === 'shown' || a.parallelGroup !== null || b.parallelGroup !== null;
  return turnsKnown ? 'yes' : 'unknown';
}

function byTime(a: ToolCall, b: ToolCall): Answer {
  if (a.startUnixNano === undefined || b.startUnixNano === undefined || a.endUnixNano === undefined) return 'unknown';
  if (a.endUnixNano <= b.startUnixNano) return a.endUnixNano === b.startUnixNano ? tie(a, b) : 'yes';
  return a.endUnixNano <= b.startUnixNano + toleranceNanos ? 'unknown' : 'no';
}

/** A call of no duration at the very start of the other one may stand on either side of it. */
function tie(a: ToolCall, b: ToolCall): Answer {
  return a.startUnixNano === b.startUnixNano ? 'unknown' : 'yes';
}
