import fc from 'fast-check';
import { test as vitestTest } from 'vitest';

export { fc };

/** A property over arbitrary values, as one test; a failing run prints its seed. */
export function test<Values extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  check: (...values: Values) => void,
): void {
  vitestTest(name, () => {
    fc.assert(fc.property(...arbitraries, check), { numRuns: 300 });
  });
}
