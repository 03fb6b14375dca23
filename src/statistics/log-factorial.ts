const halfLogTwoPi = 0.9189385332046728;
const shift = 16;

/**
 * ln(x!) − [(x + ½) ln x − x + ½ ln 2π]: what Stirling's formula leaves out, for real x > 0. Probabilities made of it
 * keep their relative precision where differences of large ln Γ would lose it.
 */
export function stirlingError(x: number): number {
  if (x >= shift) {
    const square = x * x;
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / x;
  }
  return logFactorial(x) - ((x + 0.5) * Math.log(x) - x + halfLogTwoPi);
}

/** ln(x!), that is ln Γ(x + 1), for real x ≥ 0. */
export function logFactorial(x: number): number {
  if (x >= shift) return (x + 0.5) * Math.log(x) - x + halfLogTwoPi + stirlingError(x);
  let product = 1;
  if (Number.isInteger(x)) {
    for (let factor = 2; factor <= x; factor += 1) product *= factor;
    return Math.log(product);
  }
  for (let step = 1; step <= shift; step += 1) product *= x + step;
  return logFactorial(x + shift) - Math.log(product);
}
