import { canonicalJson } from '../trace/canonical-json.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { AskedCall } from './asked-calls.ts';
import { grouped } from './grouped.ts';
import type { ToolCall } from './run.ts';

export interface CallNumbers {
  readonly operation: number | null;
  readonly attempt: number | null;
  readonly parallelGroup: number | null;
}

const unnumbered: CallNumbers = { operation: null, attempt: null, parallelGroup: null };

/** What numbers go by. */
type NumberedCall = Pick<ToolCall, 'agent' | 'name' | 'arguments' | 'stampedArgumentsDigest' | 'spans'> & {
  readonly asked: AskedCall | undefined;
  readonly turn: number;
};

/** Numbers the calls of a run when a number is first asked for. */
export class Numbering<Call extends NumberedCall> {
  calls: readonly Call[] = [];
  #operations: ReadonlyMap<NumberedCall, Pick<CallNumbers, 'operation' | 'attempt'>> | undefined;
  #groups: ReadonlyMap<NumberedCall, number> | undefined;

  of(call: NumberedCall): CallNumbers {
    this.#operations ??= numberOperations(this.calls);
    this.#groups ??= numberParallelGroups(this.calls);
    return { ...unnumbered, ...this.#operations.get(call), parallelGroup: this.#groups.get(call) ?? null };
  }
}

/**
 * Numbers the logical operations of a run (same agent, tool and canonical arguments) and the tries of each. Where the
 * arguments of a call are not visible it has no number, and neither have later calls of that tool: it may have been a
 * try of any of them.
 */
function numberOperations(
  calls: readonly NumberedCall[],
): ReadonlyMap<NumberedCall, Pick<CallNumbers, 'operation' | 'attempt'>> {
  const numbers = new Map<NumberedCall, Pick<CallNumbers, 'operation' | 'attempt'>>();
  const operations = new Map<string, { ordinal: number; tries: number }>();
  const unsure = new Set<string>();
  for (const call of calls) {
    const tool = `${call.agent ?? ''}\u0000${call.name ?? ''}`;
    const identity = identityOf(call);
    if (identity === undefined) {
      unsure.add(tool);
      continue;
    }
    if (unsure.has(tool)) continue;
    const key = `${tool}\u0000${identity}`;
    const operation = operations.get(key) ?? { ordinal: operations.size + 1, tries: 0 };
    operations.set(key, operation);
    operation.tries += 1;
    numbers.set(call, { operation: operation.ordinal, attempt: operation.tries });
  }
  return numbers;
}

/** Stamps of the instrumentation stand for arguments that it withheld. */
function identityOf(call: NumberedCall): string | undefined {
  if (call.name === null) return undefined;
  const given = call.arguments();
  if (given !== undefined) return canonicalJson(given);
  if (call.stampedArgumentsDigest !== undefined) return call.stampedArgumentsDigest;
  for (const span of call.spans) {
    const stamped = span.attributes.get(ownAttributes.attemptOperation);
    if (stamped !== undefined) return `${String(span.attributes.get(ownAttributes.segment))} ${String(stamped)}`;
  }
  return undefined;
}

/** Calls of one turn of a model, where there are several. */
function numberParallelGroups(calls: readonly NumberedCall[]): ReadonlyMap<NumberedCall, number> {
  const turns = grouped(calls, (call) => call.asked?.by.position ?? call.turn);
  turns.delete(-1);
  const groups = new Map<NumberedCall, number>();
  let group = 0;
  for (const members of turns.values()) {
    if (members.length < 2) continue;
    group += 1;
    for (const member of members) groups.set(member, group);
  }
  return groups;
}
