/**
 * Pairs as many left items with right items as can be (maximum matching), each at most once, so that the result does
 * not depend on the order in which they are tried. Returns for each left item its right item, or `undefined`.
 *
 * @example
 * maximumPairing(2, 2, (left, right) => left === 0 || right === 0); // [1, 0]
 */
export function maximumPairing(
  leftCount: number,
  rightCount: number,
  fits: (left: number, right: number) => boolean,
): readonly (number | undefined)[] {
  const rightOf = new Array<number | undefined>(leftCount).fill(undefined);
  const leftOf = new Array<number | undefined>(rightCount).fill(undefined);
  const candidates = rightOf.map((_, left) => leftOf.flatMap((__, right) => (fits(left, right) ? [right] : [])));
  for (let left = 0; left < leftCount; left += 1) augment(left, { candidates, rightOf, leftOf });
  return rightOf;
}

interface Pairing {
  readonly candidates: readonly (readonly number[])[];
  readonly rightOf: (number | undefined)[];
  readonly leftOf: (number | undefined)[];
}

/** Breadth first, so that no depth of recursion depends on the input. */
function augment(start: number, { candidates, rightOf, leftOf }: Pairing): void {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const left of queue) {
    for (const right of candidates[left] ?? []) {
      if (cameFrom.has(right)) continue;
      cameFrom.set(right, left);
      const taken = leftOf[right];
      if (taken === undefined) {
        flip(right, cameFrom, { rightOf, leftOf });
        return;
      }
      queue.push(taken);
    }
  }
}

function flip(
  end: number,
  cameFrom: ReadonlyMap<number, number>,
  { rightOf, leftOf }: Omit<Pairing, 'candidates'>,
): void {
  for (let right: number | undefined = end; right !== undefined; ) {
    const left = cameFrom.get(right);
    if (left === undefined) return;
    const next: number | undefined = rightOf[left];
    rightOf[left] = right;
    leftOf[right] = left;
    right = next;
  }
}
