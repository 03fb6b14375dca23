import { stirlingError } from './log-factorial.ts';

/**
 * P(X = k) for X binomial(n, p), by Loader's saddle-point form, exact to a few units of the last place also for large n.
 * `k` and `n` may be real (the density of the beta distribution is made of it).
 *
 * @example
 * binomialProbability(5, 10, 0.5); // 0.24609375
 */
export function binomialProbability(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0;
  if (p <= 0) return k === 0 ? 1 : 0;
  if (p >= 1) return k === n ? 1 : 0;
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  const rest = n - k;
  const exponent =
    stirlingError(n) - stirlingError(k) - stirlingError(rest) - deviance(k, n * p) - deviance(rest, n * (1 - p));
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * k * rest));
}

/** x ln(x / mean) + mean − x, without cancellation where x is near the mean. */
function deviance(x: number, mean: number): number {
  const difference = x - mean;
  if (Math.abs(difference) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x;
  const ratio = difference / (x + mean);
  let sum = difference * ratio;
  let term = 2 * x * ratio;
  for (let j = 1; ; j += 1) {
    term *= ratio * ratio;
    const next = sum + term / (2 * j + 1);
    if (next === sum) return sum;
    sum = next;
  }
}
