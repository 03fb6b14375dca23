import { binomialProbability } from './binomial-probability.ts';

const tiny = 1e-300;
const mostTerms = 100_000;

/**
 * The regularized incomplete beta function I_x(a, b), a and b > 0: the distribution function of beta(a, b), and the
 * tail of the binomial distribution.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction converges fast on this side of the mean only.
  return x > (a + 1) / (a + b + 2) ? 1 - fromBelow(1 - x, b, a) : fromBelow(x, a, b);
}

function fromBelow(x: number, a: number, b: number): number {
  // x^a (1 − x)^b / (a B(a, b)), written as a binomial probability for its precision.
  const front = binomialProbability(a, a + b, x) * (b / (a + b));
  return front === 0 ? 0 : front * continuedFraction(x, a, b);
}

/** Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= mostTerms; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return fraction;
}
