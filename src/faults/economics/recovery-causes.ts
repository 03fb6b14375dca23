import type { Run, ToolCall } from '../../agent/run.ts';
import { startOrder } from '../read/visible-calls.ts';

/** Why one run took longer than another to recover. */
export type RecoveryCause = 'extra_read_before_correcting' | 'terminal_failure_repeated' | 'longer_preamble';

/**
 * Compares two runs of one task by their traces: numbers say that a version got worse, the trace says why. Content is not
 * compared, only which calls were made and how many tokens the model wrote.
 */
export function recoveryCauses(before: Run, after: Run, tool: string): RecoveryCause[] {
  const causes: RecoveryCause[] = [];
  if (readsBetween(after, tool) > readsBetween(before, tool)) causes.push('extra_read_before_correcting');
  if (repeatedFailures(after, tool) > repeatedFailures(before, tool)) causes.push('terminal_failure_repeated');
  if (isLonger(before, after, tool)) causes.push('longer_preamble');
  return causes;
}

function triesOf(run: Run, tool: string): readonly ToolCall[] {
  return run.toolCalls.filter(({ name }) => name === tool).toSorted(startOrder);
}

/** Calls of other tools between the first failure and the next try. */
function readsBetween(run: Run, tool: string): number {
  const calls = run.toolCalls.toSorted(startOrder);
  const failed = calls.findIndex(({ name, outcome }) => name === tool && outcome === 'failed');
  if (failed < 0) return 0;
  const next = calls.findIndex(({ name }, at) => at > failed && name === tool);
  return (next < 0 ? calls.length : next) - failed - 1;
}

/** Failed tries with arguments that had failed before. */
function repeatedFailures(run: Run, tool: string): number {
  const seen = new Set<number>();
  let repeated = 0;
  for (const { operation, outcome } of triesOf(run, tool)) {
    if (operation === null || outcome !== 'failed') continue;
    if (seen.has(operation)) repeated += 1;
    seen.add(operation);
  }
  return repeated;
}

const longer = 1.25;

/** As many attempts, and a quarter more tokens written: it costs money, and no attempt. */
function isLonger(before: Run, after: Run, tool: string): boolean {
  if (triesOf(before, tool).length !== triesOf(after, tool).length) return false;
  const [first, second] = [before.usage.output, after.usage.output];
  return first !== null && second !== null && first > 0 && second > longer * first;
}
