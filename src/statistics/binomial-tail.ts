import { incompleteBeta } from './incomplete-beta.ts';

/** P(X ≤ k) for X binomial(n, p); `k` and `n` whole numbers. */
export function binomialAtMost(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  return k >= n ? 1 : incompleteBeta(1 - p, n - k, k + 1);
}

/** P(X ≥ k) for X binomial(n, p); `k` and `n` whole numbers. */
export function binomialAtLeast(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  return k > n ? 0 : incompleteBeta(p, k, n - k + 1);
}
