import { canonicalJson } from '../../trace/canonical-json.ts';
import type { TrajectoryStep } from './trajectory.ts';

/** The same calls again and again, with the same results: nothing is learnt from them. */
export interface Cycle {
  /** The first step of the first round, as an index. */
  readonly start: number;
  /** Calls of one round. */
  readonly length: number;
  /** Whole rounds, the first included. */
  readonly rounds: number;
}

export interface CyclesFound {
  /** The longest one, by steps; `undefined` where there is none. */
  readonly cycle: Cycle | undefined;
  /** The same calls came again, and what they gave is not all visible: waiting for a change looks like this too. */
  readonly open: Cycle | undefined;
}

/**
 * Looks for rounds of calls with equal tools, arguments and results, one directly after the other. A call that is made
 * again and gives another answer is no cycle: that is waiting.
 *
 * @param least - whole rounds from which on it is a cycle
 * @param longest - calls of the longest round that is looked for
 */
export function cyclesIn(trajectory: readonly TrajectoryStep[], least: number, longest: number): CyclesFound {
  const steps = trajectory.map(keyOf);
  let cycle: Cycle | undefined;
  let open: Cycle | undefined;
  for (let length = 1; length <= longest; length += 1) {
    cycle = longer(cycle, roundsOf(steps, length, isSame), least);
    open = longer(open, roundsOf(steps, length, mayBeSame), least);
  }
  return { cycle, open: cycle === undefined ? open : undefined };
}

interface Key {
  readonly tool: string | null;
  readonly operation: number | null;
  readonly result: string | undefined;
}

function keyOf({ tool, operation, result }: TrajectoryStep): Key {
  return { tool, operation, result: result === undefined ? undefined : canonicalJson(result) };
}

function isSame(a: Key, b: Key): boolean {
  return a.operation !== null && a.operation === b.operation && a.result !== undefined && a.result === b.result;
}

function mayBeSame(a: Key, b: Key): boolean {
  if (a.tool !== null && b.tool !== null && a.tool !== b.tool) return false;
  if (a.operation !== null && b.operation !== null && a.operation !== b.operation) return false;
  return a.result === undefined || b.result === undefined || a.result === b.result;
}

/** The longest stretch in which each step is like the one a round before it. */
function roundsOf(steps: readonly Key[], length: number, alike: (a: Key, b: Key) => boolean): Cycle {
  let best: Cycle = { start: 0, length, rounds: 0 };
  let matched = 0;
  for (let at = length; at < steps.length; at += 1) {
    const [before, now] = [steps[at - length], steps[at]];
    matched = before !== undefined && now !== undefined && alike(before, now) ? matched + 1 : 0;
    const rounds = Math.floor(matched / length) + 1;
    if (matched >= length && rounds > best.rounds) best = { start: at - matched - length + 1, length, rounds };
  }
  return best;
}

function longer(known: Cycle | undefined, found: Cycle, least: number): Cycle | undefined {
  if (found.rounds < least) return known;
  return known === undefined || found.rounds * found.length > known.rounds * known.length ? found : known;
}
