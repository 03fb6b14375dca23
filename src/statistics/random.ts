/** A source of randomness that is passed in: same seed, same numbers, on every machine and Node version. */
export interface Random {
  /** A whole number from 0 to 2³² − 1. */
  nextUint32(): number;
}

/**
 * A seeded generator (xoshiro128**, its state filled by SplitMix32). Not for secrets.
 *
 * @example
 * const random = seededRandom(41);
 */
export function seededRandom(seed: number): Random {
  let mix = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  const fill = (): number => {
    mix = (mix + 0x9e3779b9) | 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  return {
    nextUint32(): number {
      const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = rotate(d, 11);
      return result;
    },
  };
}

/** A whole number from 0 to `bound` − 1, each equally likely (1 ≤ bound ≤ 2³²). */
export function randomIndex(random: Random, bound: number): number {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const value = random.nextUint32();
    if (value < limit) return value % bound;
  }
}

/** The order of the items changed at random (Fisher–Yates); a new array. */
export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = randomIndex(random, last + 1);
    const moved = result[last] as Item;
    result[last] = result[other] as Item;
    result[other] = moved;
  }
  return result;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
