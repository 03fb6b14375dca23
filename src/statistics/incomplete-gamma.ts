import { logFactorial } from './log-factorial.ts';

const tiny = 1e-300;
const mostTerms = 100_000;

/**
 * Q(a, x), the upper regularized incomplete gamma function, a > 0 and x ≥ 0: the tail of gamma(a), and with a = df ⁄ 2 and
 * x = χ² ⁄ 2 that of the chi-square distribution.
 */
export function upperIncompleteGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  // ln of x^a e^−x ⁄ Γ(a + 1)
  const front = Math.exp(a * Math.log(x) - x - logFactorial(a));
  // The series converges fast below the mean only, the continued fraction above it.
  return x < a + 1 ? 1 - front * series(a, x) : front * a * continuedFraction(a, x);
}

function series(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; n <= mostTerms && term > sum * 1e-17; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** Lentz's method. */
function continuedFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n <= mostTerms; n += 1) {
    const numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = b + numerator / c;
    c = Math.abs(c) < tiny ? tiny : c;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return fraction;
}
