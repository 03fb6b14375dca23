import { z } from 'zod';

/** An upper bound and where it comes from. */
export interface BudgetBound {
  readonly max: number;
  readonly source: string;
}

const filling =
  /^(as|it|was|were|in|from|of|by|the|this|these|that|same|current|today|here|runs?|traces?|values?|data|max|maximum|usage)$/;

/** "Observed", also in more words that say no more: "as observed in this run". */
function saysOnlyObserved(text: string): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  if (plain.replace(/[^\p{L}]/gu, '') === 'observed') return true;
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = words.filter((word) => !filling.test(word));
  return (
    words.length > 0 && said.every((word) => /^(observed|observations?|measured|measurements?|seen|actual)$/.test(word))
  );
}

/**
 * Where a bound comes from must be said. What was observed in the very runs that are judged is no source: such a budget
 * passes whatever happened.
 */
const source: z.ZodType<string> = z
  .string()
  .trim()
  .min(1, { error: 'expected where the bound comes from, got nothing' })
  .refine((text) => !saysOnlyObserved(text), {
    error: 'expected where the bound comes from (a pilot with date and number of runs, a requirement), got "observed"',
  })
  .describe('Where the bound comes from: a pilot with its date and number of runs, a requirement. Not "observed".');

const max: z.ZodType<number> = z.int().min(0).describe('The most that is allowed.');

/** The shape of every bound of a budget; `more` adds what one kind needs. */
export const budgetBoundShape: { readonly max: z.ZodType<number>; readonly source: z.ZodType<string> } = {
  max,
  source,
};

export const budgetBound: z.ZodType<BudgetBound> = z
  .strictObject(budgetBoundShape)
  .meta({ id: 'BudgetBound', description: 'An upper bound and where it comes from.' });
