import type { Json, ToolCall } from '../../agent/run.ts';
import { canonicalJson } from '../../trace/canonical-json.ts';
import { errorCodeOf } from '../read/error-code.ts';

/** Which results are meant, and what tells one thing from another. */
export interface HeededResult {
  readonly tool: string;
  readonly error?: string | undefined;
  readonly identity?: readonly string[] | undefined;
}

/** Calls of the tool that failed in the way that is meant, in order. */
export function failedCalls(calls: readonly ToolCall[], { tool, error }: HeededResult): readonly ToolCall[] {
  return calls.filter(
    (call) => call.name === tool && call.outcome === 'failed' && (error === undefined || errorCodeOf(call) === error),
  );
}

/** Whether a call was asked for after the failure: what was asked for in the same turn is no answer to it. */
export function mayHaveSeen(call: ToolCall, failed: ToolCall, calls: readonly ToolCall[]): boolean {
  if (calls.indexOf(failed) >= calls.indexOf(call)) return false;
  return call.parallelGroup === null || call.parallelGroup !== failed.parallelGroup;
}

/** Whether two calls are about one thing; `null` where arguments are not visible. */
export function isAboutTheSame(a: ToolCall, b: ToolCall, identity: readonly string[] | undefined): boolean | null {
  if (identity === undefined) return true;
  const [first, second] = [a.arguments(), b.arguments()];
  if (first === undefined || second === undefined) return null;
  return identity.every((path) => canonicalJson(valueAt(first, path)) === canonicalJson(valueAt(second, path)));
}

/** `customer.id`; `undefined` where there is no such value. */
export function valueAt(value: Json, path: string): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string, Json>>)[step];
  }
  return here;
}
