/**
 * The point between `low` and `high` where a growing function passes `target`, to the last digits of a double.
 * Slow and sure: no derivative, no starting point, the same answer everywhere.
 */
export function bisect(growing: (x: number) => number, target: number, low: number, high: number): number {
  let below = low;
  let above = high;
  for (let step = 0; step < 1_100; step += 1) {
    const middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) break;
    if (growing(middle) < target) below = middle;
    else above = middle;
  }
  return below + (above - below) / 2;
}
