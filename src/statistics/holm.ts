/**
 * Holm's adjusted p-values, in the order given: rejecting those at or below α keeps the chance of any false rejection at
 * or below α.
 *
 * @example
 * holm([0.01, 0.04, 0.03]); // [0.03, 0.06, 0.06]
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let largest = 0;
  for (const [position, { p, index }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, p * (pValues.length - position)));
    adjusted[index] = largest;
  }
  return adjusted;
}
