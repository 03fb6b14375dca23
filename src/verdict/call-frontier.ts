import type { Run, ToolCall } from '../agent/run.ts';
import type { Answer } from './argument-match.ts';
import { happensBefore } from './happens-before.ts';

interface End {
  readonly call: ToolCall;
  /** Whether a chain that ends with this call fits for sure. */
  readonly chain: Answer;
}

/**
 * The calls with which a chain may have ended so far. Of all of them only those are kept that can be the best link to a
 * later call: the earliest to end, of two parallel groups, with and without times and groups. So a step along a chain
 * costs the same, however many calls there are.
 */
export class CallFrontier {
  readonly #run: Run;
  readonly #kept = new Map<string, End[]>();

  constructor(run: Run) {
    this.#run = run;
  }

  add(call: ToolCall, chain: Answer): void {
    const timed = call.endUnixNano !== undefined && call.startUnixNano !== undefined;
    const kind = `${chain} ${timed} ${call.parallelGroup !== null}`;
    const ends = [...(this.#kept.get(kind) ?? []), { call, chain }].sort(byEnd);
    const groups = new Set<number | null>();
    const best = ends.filter(({ call: { parallelGroup } }) => !groups.has(parallelGroup) && groups.add(parallelGroup));
    this.#kept.set(kind, best.slice(0, 2));
  }

  /** Whether a chain can go on with this call. */
  linkTo(call: ToolCall): Answer {
    let best: Answer = 'no';
    for (const end of [...this.#kept.values()].flat()) {
      const link = happensBefore(end.call, call, this.#run);
      if (link === 'yes' && end.chain === 'yes') return 'yes';
      if (link !== 'no') best = 'unknown';
    }
    return best;
  }
}

function byEnd({ call: a }: End, { call: b }: End): number {
  return compare(a.endUnixNano, b.endUnixNano) || compare(a.startUnixNano, b.startUnixNano);
}

function compare(a: bigint | undefined, b: bigint | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}
