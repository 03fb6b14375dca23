import { z } from 'zod';

/** How many are wanted, both ends included. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** How many there are: those that are certain, and those and the possible ones together. */
export interface Tally {
  readonly certain: number;
  readonly possible: number;
}

/** `open`: it depends on the merely possible ones. `grouping`: it depends on how a heap of traces is grouped. */
export type CountVerdict = 'met' | 'too-few' | 'too-many' | 'open' | 'grouping';

const count = z.int().min(0);

const countShape = {
  atLeast: count.optional().describe('This many or more.'),
  atMost: count.optional().describe('This many or fewer.'),
  exactly: count.optional().describe('This many, no more and no fewer.'),
  none: z.literal(true).optional().describe('Not a single one.'),
};

export interface CountExpectation {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
  readonly exactly?: number | undefined;
  readonly none?: true | undefined;
}

/** The named quantifiers over a count: `atLeast` and `atMost` may stand together, `exactly` and `none` stand alone. */
export const countExpectation: z.ZodType<CountExpectation> = z
  .strictObject(countShape)
  .superRefine((expect, context) => {
    const complaint = countComplaint(expect);
    if (complaint !== undefined) context.addIssue({ code: 'custom', message: complaint });
  });

/** Why quantifiers do not go together; `undefined` where they do. */
export function countComplaint({ atLeast, atMost, exactly, none }: CountExpectation): string | undefined {
  const alone = [exactly, none].filter((value) => value !== undefined).length;
  const bounds = [atLeast, atMost].filter((value) => value !== undefined).length;
  if (alone + bounds === 0) return 'expected one of atLeast, atMost, exactly or none, got none of them';
  if (alone > 1 || (alone === 1 && bounds > 0))
    return 'expected exactly or none to stand alone, got several quantifiers';
  if (atLeast === 0 && atMost === undefined) return 'expected atLeast to be 1 or more, got 0, which holds of anything';
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) {
    return `expected atLeast to be no more than atMost, got ${atLeast} and ${atMost}`;
  }
  return undefined;
}

export function rangeOf({ atLeast, atMost, exactly, none }: CountExpectation): Range {
  if (none === true) return { low: 0, high: 0 };
  if (exactly !== undefined) return { low: exactly, high: exactly };
  return { low: atLeast ?? 0, high: atMost ?? Number.POSITIVE_INFINITY };
}

/** The count that holds exactly where this one does not; `undefined` where no single one does. */
export function complementOf(expect: CountExpectation): CountExpectation | undefined {
  const { low, high } = rangeOf(expect);
  if (high === Number.POSITIVE_INFINITY) return low <= 1 ? { exactly: 0 } : { atMost: low - 1 };
  return low === 0 ? { atLeast: high + 1 } : undefined;
}

/** `at least 2 calls`, `exactly 1 call`, `no call`, `1 to 3 calls`. */
export function wantedText({ low, high }: Range, singular: string, plural: string = `${singular}s`): string {
  if (high === 0) return `no ${singular}`;
  const noun = (count: number) => (count === 1 ? singular : plural);
  if (low === high) return `exactly ${low} ${noun(low)}`;
  if (high === Number.POSITIVE_INFINITY) return `at least ${low} ${noun(low)}`;
  return low === 0 ? `at most ${high} ${noun(high)}` : `${low} to ${high} ${noun(high)}`;
}

export function judgeCount({ certain, possible }: Tally, { low, high }: Range): CountVerdict {
  if (certain > high) return 'too-many';
  if (possible < low) return 'too-few';
  return certain >= low && possible <= high ? 'met' : 'open';
}

/**
 * Judges a heap of traces that nothing groups into runs: decided only where every way to group them gives the same
 * verdict. `loose` are those that belong to no single trace.
 */
export function judgeHeap(perTrace: readonly Tally[], loose: Tally, range: Range): CountVerdict {
  const all = [...perTrace, loose];
  const possible = all.reduce((sum, tally) => sum + tally.possible, 0);
  if (perTrace.some(({ certain }) => certain > range.high)) return 'too-many';
  if (possible < range.low) return 'too-few';
  const eachHasEnough = range.low === 0 || perTrace.every(({ certain }) => certain >= range.low);
  return eachHasEnough && possible <= range.high ? 'met' : 'grouping';
}
