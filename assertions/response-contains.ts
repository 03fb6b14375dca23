import { z } from 'zod';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { type FinalAnswer, finalAnswerOf } from '../src/verdict/final-answer.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import type { Finding, Verdict } from '../src/verdict/verdict.ts';

export interface ResponseContainsParameters {
  readonly text?: string | readonly string[] | undefined;
  readonly without?: string | readonly string[] | undefined;
  readonly ignoreCase: boolean;
  readonly wholeWords: boolean;
}

const texts = z.union([z.string().trim().min(1), z.array(z.string().trim().min(1)).min(1)], {
  error: 'expected a text or a list of texts, none of them empty',
});

const parameters: z.ZodType<ResponseContainsParameters> = z
  .strictObject({
    text: texts
      .optional()
      .describe('Text, or texts, that the answer holds. White space of any length counts as one blank.'),
    without: texts.optional().describe('Text, or texts, that the answer does not hold.'),
    ignoreCase: z.boolean().default(false).describe('Upper and lower case do not differ.'),
    wholeWords: z
      .boolean()
      .default(false)
      .describe('A text does not begin or end inside a word or number: 24 is not in 240.'),
  })
  .refine(({ text, without }) => text !== undefined || without !== undefined, {
    error: 'expected text or without, got neither',
  })
  .describe('The answer with which the run ends holds some texts, and does not hold others.');

// The wanted texts are of the suite; still they tell of the answer, so findings name them by place and length.
const findings = {
  'text-missing': sentence<{ place: number; of: number; characters: number }>({
    expected: ({ place, of, characters }) => `text ${place} of ${of} (${characters} characters) is in the answer`,
    observed: () => 'it is not',
  }),
  'text-forbidden': sentence<{ place: number; of: number; characters: number }>({
    expected: ({ place, of, characters }) =>
      `forbidden text ${place} of ${of} (${characters} characters) is not in the answer`,
    observed: () => 'it is',
  }),
  'no-answer': sentence<{ finish: string | null }>({
    expected: () => 'the run ends with an answer',
    observed: ({ finish }) => `the last model call gave no text${finish === null ? '' : ` (finish ${finish})`}`,
  }),
};
const finding = findingMaker('ResponseContains', findings);

function findingsFor({ call, text }: FinalAnswer, given: ResponseContainsParameters): readonly Finding[] {
  const spans = call.spans.slice(0, 1);
  if (text.trim() === '') return [finding('no-answer', { arguments: { finish: call.finish }, spans })];
  const answer = plain(text, given);
  const judge = (wanted: ResponseContainsParameters['text'], code: 'text-missing' | 'text-forbidden') => {
    const list = wanted === undefined ? [] : [wanted].flat();
    return list.flatMap((one, index) => {
      if (holds(answer, plain(one, given), given.wholeWords) === (code === 'text-missing')) return [];
      return [finding(code, { arguments: { place: index + 1, of: list.length, characters: one.length }, spans })];
    });
  };
  return [...judge(given.text, 'text-missing'), ...judge(given.without, 'text-forbidden')];
}

function plain(text: string, { ignoreCase }: ResponseContainsParameters): string {
  const blanks = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  return ignoreCase ? blanks.toLowerCase() : blanks;
}

function holds(answer: string, text: string, wholeWords: boolean): boolean {
  if (!wholeWords) return answer.includes(text);
  for (let at = answer.indexOf(text); at >= 0; at = answer.indexOf(text, at + 1)) {
    const before = answer.slice(0, at);
    const after = answer.slice(at + text.length);
    if (!insideWord(before, text) && !insideWord(text, after)) return true;
  }
  return false;
}

/** Whether a word or a number (also one with a decimal part) runs across the seam. */
function insideWord(left: string, right: string): boolean {
  return (
    (/[\p{L}\p{N}_]$/u.test(left) && /^[\p{L}\p{N}_]/u.test(right)) ||
    (/\p{N}[.,]?$/u.test(left) && /^[.,]?\p{N}/u.test(right))
  );
}

function evaluate(view: View, given: ResponseContainsParameters): Verdict {
  const { answer, missing } = finalAnswerOf(view);
  const found = answer === undefined || missing.length > 0 ? [] : findingsFor(answer, given);
  return conclude({ examined: spansExamined(view.run), findings: found, missing, remarks: groundRemarks(view) });
}

export const responseContains: Assertion<ResponseContainsParameters> = {
  id: 'ResponseContains',
  summary: 'The answer with which the run ends holds some texts, and does not hold others.',
  needs: 'a whole trace in which model calls are shown, with content',
  parameters,
  findings,
  evaluate,
};
