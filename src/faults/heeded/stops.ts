import type { ToolCall } from '../../agent/run.ts';
import { failedCalls, type HeededResult, isAboutTheSame, mayHaveSeen } from './failed-calls.ts';

export interface StopsFound {
  /** The first failure that is to be heeded; `undefined` where there is none. */
  readonly failed: ToolCall | undefined;
  /** Calls of the tool after it, about the same thing. */
  readonly further: readonly ToolCall[];
  /** Of some later call it cannot be told what it is about. */
  readonly open: boolean;
}

/** Calls that were made although the tool had said that it is of no use. Those asked for in the same turn do not count. */
export function stopsOf(calls: readonly ToolCall[], given: HeededResult): StopsFound {
  const failed = failedCalls(calls, given);
  const further: ToolCall[] = [];
  let open = false;
  for (const call of calls) {
    const earlier = failed.filter((each) => mayHaveSeen(call, each, calls));
    if (call.name !== given.tool || earlier.length === 0) continue;
    const same = earlier.map((each) => isAboutTheSame(each, call, given.identity));
    if (same.includes(true)) further.push(call);
    else if (same.includes(null)) open = true;
  }
  return { failed: failed[0], further, open };
}
