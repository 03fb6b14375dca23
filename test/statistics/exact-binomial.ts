/** Exact binomial tails by whole numbers, as the yardstick of the fast ones. Rates are given in units of 10⁻¹². */
export const unit = 10n ** 12n;

function choose(n: bigint, k: bigint): bigint {
  let result = 1n;
  for (let i = 0n; i < k; i += 1n) result = (result * (n - i)) / (i + 1n);
  return result;
}

/** P(X ≥ k) × 10³⁰, rounded down. */
export function exactAtLeast(k: number, n: number, rate: bigint): bigint {
  let sum = 0n;
  for (let i = BigInt(k); i <= BigInt(n); i += 1n) {
    sum += choose(BigInt(n), i) * rate ** i * (unit - rate) ** (BigInt(n) - i);
  }
  return (sum * 10n ** 30n) / unit ** BigInt(n);
}

/** P(X ≤ k) × 10³⁰, within one unit. */
export function exactAtMost(k: number, n: number, rate: bigint): bigint {
  return 10n ** 30n - exactAtLeast(k + 1, n, rate);
}

export function toUnits(value: number): bigint {
  return BigInt(Math.round(value * 1e12));
}
