import { mean } from './mean.ts';
import { type Random, shuffled } from './random.ts';

export interface PermutationOptions {
  readonly random: Random;
  /** Rearrangements drawn where there are too many to try all. Default 9,999. */
  readonly permutations?: number;
}

export interface PermutationResult {
  /** Mean difference that was seen. */
  readonly difference: number;
  /** Two-sided. */
  readonly p: number;
  /** All rearrangements were tried. */
  readonly exact: boolean;
}

const mostExactPairs = 14;
/** Differences equal but for rounding count as equal. */
const roundingSlack = 1e-12;

/**
 * Sign-flip test of paired differences (one per scenario: its rate after less its rate before): if nothing changed, each
 * difference could as well have the other sign.
 *
 * @example
 * signFlip(scenarios.map((each) => each.after - each.before), { random: seededRandom(41) });
 */
export function signFlip(differences: readonly number[], options: PermutationOptions): PermutationResult {
  const observed = mean(differences);
  const threshold = Math.abs(observed) - roundingSlack;
  if (differences.length === 0) return { difference: 0, p: 1, exact: true };
  if (differences.length <= mostExactPairs) {
    const arrangements = 2 ** differences.length;
    let asFar = 0;
    for (let signs = 0; signs < arrangements; signs += 1) {
      const sum = differences.reduce((total, each, index) => total + ((signs >> index) & 1 ? -each : each), 0);
      if (Math.abs(sum / differences.length) >= threshold) asFar += 1;
    }
    return { difference: observed, p: asFar / arrangements, exact: true };
  }
  const flipped = (): number => {
    let bits = 0;
    const sum = differences.reduce((total, each, index) => {
      if (index % 32 === 0) bits = options.random.nextUint32();
      const sign = (bits >>> (index % 32)) & 1;
      return total + (sign === 1 ? -each : each);
    }, 0);
    return sum / differences.length;
  };
  return { difference: observed, p: drawnP(flipped, threshold, options.permutations ?? 9_999), exact: false };
}

/**
 * Permutation test of two groups of clusters, one number each (a scenario's rate): if the groups are alike, any cluster
 * could as well stand in the other one. Whole clusters move, never their runs.
 */
export function permutationTest(
  first: readonly number[],
  second: readonly number[],
  options: PermutationOptions,
): PermutationResult {
  const difference = mean(second) - mean(first);
  if (first.length === 0 || second.length === 0) return { difference: 0, p: 1, exact: false };
  const all = [...first, ...second];
  const rearranged = (): number => {
    const order = shuffled(options.random, all);
    return mean(order.slice(first.length)) - mean(order.slice(0, first.length));
  };
  const p = drawnP(rearranged, Math.abs(difference) - roundingSlack, options.permutations ?? 9_999);
  return { difference, p, exact: false };
}

/** The observed arrangement counts as one of those drawn, so p is never 0 and never too small. */
function drawnP(draw: () => number, threshold: number, permutations: number): number {
  let asFar = 1;
  for (let index = 0; index < permutations; index += 1) if (Math.abs(draw()) >= threshold) asFar += 1;
  return asFar / (permutations + 1);
}
