import { bisect } from './bisect.ts';

/** P(Z ≤ z) for a standard normal Z. */
export function normalCumulative(z: number): number {
  if (z > 0) return 1 - upperTail(z);
  return upperTail(-z);
}

/**
 * The z below which the share `p` of a standard normal lies, 0 < p < 1.
 *
 * @example
 * normalQuantile(0.975); // 1.959963984540054
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`expected a share between 0 and 1, got ${p}`);
  // The smaller tail keeps its precision.
  if (p > 0.5) return bisect((z) => -upperTail(z), -(1 - p), 0, 39);
  return p === 0.5 ? 0 : -bisect((z) => -upperTail(z), -p, 0, 39);
}

/** P(Z > z), z ≥ 0. */
function upperTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let k = 3; term > sum * 1e-17; k += 2) {
      term *= (z * z) / k;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = z;
  for (let k = 200; k >= 1; k -= 1) fraction = z + k / fraction;
  return density / fraction;
}
