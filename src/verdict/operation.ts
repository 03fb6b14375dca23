import type { Json, ToolCall } from '../agent/run.ts';
import { canonicalJson } from '../trace/canonical-json.ts';
import { isObject } from './json-schema.ts';

/**
 * Two calls try the same logical operation when tool and arguments are equal, or, where a suite names the arguments
 * that identify it, when tool and those are equal. `null` where the trace does not tell.
 */
export function operationOf(call: ToolCall, identity: readonly string[] | undefined): string | null {
  if (identity === undefined) return call.operation === null ? null : String(call.operation);
  if (call.name === null) return null;
  const given = call.arguments();
  const parts = identity.map((name) =>
    given === undefined ? call.stampedArgumentDigests.get(name) : argumentOf(given, name),
  );
  return parts.includes(undefined) ? null : canonicalJson([call.agent, call.name, ...parts]);
}

/** An argument that is not given is told from one that is null. */
function argumentOf(given: Json, name: string): Json {
  return isObject(given) && Object.hasOwn(given, name) ? [given[name] as Json] : [];
}
