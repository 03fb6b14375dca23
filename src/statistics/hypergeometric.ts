import { binomialProbability } from './binomial-probability.ts';

/**
 * P(A = a) where `successes` fall at random among `first + second` places and A of them into the first; written by
 * binomial probabilities for their precision.
 */
export function hypergeometricProbability(a: number, first: number, second: number, successes: number): number {
  const trials = first + second;
  if (successes === 0 || successes === trials) return a === Math.min(first, successes) ? 1 : 0;
  const p = successes / trials;
  const both = binomialProbability(a, first, p) * binomialProbability(successes - a, second, p);
  return both / binomialProbability(successes, trials, p);
}
