import type { Json, Run, ToolCall } from '../../agent/run.ts';
import { errorCodeOf } from '../read/error-code.ts';
import { startOrder } from '../read/visible-calls.ts';
import { type RejectedSource, rejectedSource } from './rejected-source.ts';

/** What makes a call a test of the validator, and none of recovery. */
export type Pathology = 'lone_number' | 'null_byte' | 'very_long' | 'no_arguments';

/** Rejected calls of one tool with one error code. */
export interface RejectedGroup {
  readonly tool: string;
  readonly code: string;
  readonly calls: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Days since it was last seen; a corpus belongs to one model version and one population. */
  readonly ageDays: number;
  /** Calls that nobody would make in earnest. */
  readonly pathological: Readonly<Partial<Record<Pathology, number>>>;
  /** Where the others come from, as far as the trace tells. */
  readonly sources: Readonly<Partial<Record<RejectedSource, number>>>;
  /** The first few, to look at. */
  readonly examples: readonly { readonly traceId: string; readonly spanId: string }[];
}

const mostExamples = 3;

interface Group {
  readonly tool: string;
  readonly code: string;
  calls: number;
  first: bigint;
  last: bigint;
  readonly pathological: Partial<Record<Pathology, number>>;
  readonly sources: Partial<Record<RejectedSource, number>>;
  readonly examples: { traceId: string; spanId: string }[];
}

/** Groups the rejected calls of runs by tool and error code; the most frequent first. */
export class RejectedCalls {
  readonly #groups = new Map<string, Group>();
  calls = 0;

  add(run: Run): void {
    const calls = run.toolCalls.toSorted(startOrder);
    for (const [at, call] of calls.entries()) {
      this.calls += 1;
      if (call.outcome !== 'failed') continue;
      const corrected = calls.slice(at + 1).find(({ name, outcome }) => name === call.name && outcome === 'succeeded');
      this.#add(call, corrected);
    }
  }

  /** @param nowMs - milliseconds since the epoch; age is counted back from it */
  top(count: number, nowMs: number): RejectedGroup[] {
    const sorted = [...this.#groups.values()].sort(
      (a, b) => b.calls - a.calls || (a.tool + a.code < b.tool + b.code ? -1 : 1),
    );
    return sorted.slice(0, count).map(({ first, last, ...group }) => ({
      ...group,
      firstSeen: dateOf(first),
      lastSeen: dateOf(last),
      ageDays: Math.max(0, Math.floor((nowMs - Number(last / 1_000_000n)) / 86_400_000)),
    }));
  }

  #add(call: ToolCall, corrected: ToolCall | undefined): void {
    const tool = call.name ?? 'unknown';
    const code = errorCodeOf(call) ?? 'unknown';
    const key = `${tool} ${code}`;
    const at = call.startUnixNano ?? 0n;
    const group = this.#groups.get(key) ?? {
      tool,
      code,
      calls: 0,
      first: at,
      last: at,
      pathological: {},
      sources: {},
      examples: [],
    };
    this.#groups.set(key, group);
    group.calls += 1;
    if (at < group.first) group.first = at;
    if (at > group.last) group.last = at;
    const pathologies = pathologiesOf(call.arguments());
    for (const kind of pathologies) group.pathological[kind] = (group.pathological[kind] ?? 0) + 1;
    const source = pathologies.length > 0 ? undefined : rejectedSource(call, corrected);
    if (source !== undefined) group.sources[source] = (group.sources[source] ?? 0) + 1;
    const [span] = call.spans;
    if (span !== undefined && group.examples.length < mostExamples) {
      group.examples.push({ traceId: span.traceId, spanId: span.spanId });
    }
  }
}

function dateOf(nano: bigint): string {
  return nano === 0n ? 'unknown' : new Date(Number(nano / 1_000_000n)).toISOString().slice(0, 10);
}

const longest = 10_000;

/** A lone number, a null byte, ten thousand characters, nothing at all: these test a validator. */
export function pathologiesOf(given: Json | undefined): readonly Pathology[] {
  if (given === undefined) return [];
  const text = JSON.stringify(given);
  const found: Pathology[] = [];
  if (typeof given === 'number') found.push('lone_number');
  if (text.includes('\\u0000')) found.push('null_byte');
  if (text.length >= longest) found.push('very_long');
  if (given === null || (typeof given === 'object' && Object.keys(given).length === 0)) found.push('no_arguments');
  return found;
}
