import { z } from 'zod';
import type { Attributes } from '../src/trace/attributes.ts';
import { displayName } from '../src/trace/display-name.ts';
import { ownAttributes } from '../src/trace/own-attributes.ts';
import type { Span } from '../src/trace/span.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { type CountVerdict, judgeCount, judgeHeap, type Tally } from '../src/verdict/count.ts';
import { groundRemarks, undecided } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, listed } from '../src/verdict/wording.ts';

export interface StageObservedParameters {
  readonly stage: string;
  readonly atLeast: number;
  readonly minimumCounts: { readonly [attribute: string]: number };
}

const parameters: z.ZodType<StageObservedParameters> = z
  .strictObject({
    stage: z
      .string()
      .min(1)
      .describe(
        'Name of a span or of a span event; `retrieval` also means otel_eval.evidence.retrieval. A span that ended with an error does not count.',
      ),
    atLeast: z.int().min(1).default(1).describe('How often it was seen, or more.'),
    minimumCounts: z
      .record(z.string().min(1), z.number())
      .default({})
      .describe('Attributes of that span or event, each with the least number it must hold.'),
  })
  .describe('A stage of the run left evidence of itself, with at least such counts.');

const findings = {
  'stage-absent': sentence<{ stage: string; wanted: number; seen: number }>({
    expected: ({ stage, wanted }) => `a span or event ${stage}, ${wanted === 1 ? 'once' : `${wanted} times`} or more`,
    observed: ({ seen }) => (seen === 0 ? 'none' : counted(seen, 'occurrence')),
  }),
  'stage-failed': sentence<{ stage: string; wanted: number; seen: number; failed: number }>({
    expected: ({ stage, wanted }) => `${counted(wanted, 'occurrence')} of ${stage} that did not fail`,
    observed: ({ seen, failed }) => `${seen - failed}; ${failed} ended with an error`,
  }),
  'count-too-low': sentence<{ stage: string; wanted: number; enough: number; attributes: readonly string[] }>({
    expected: ({ stage, wanted, attributes }) =>
      `${counted(wanted, 'occurrence')} of ${stage} with ${listed(attributes)}`,
    observed: ({ enough }) => counted(enough, 'occurrence'),
  }),
};
const finding = findingMaker('StageObserved', findings);

interface Occurrence {
  readonly span: Span;
  readonly attributes: Attributes;
  /** The span is the stage, and it ended with an error: that it began is no evidence that it took place. */
  readonly failed: boolean;
  readonly unended: boolean;
}

function occurrencesIn(spans: readonly Span[], stage: string): readonly Occurrence[] {
  const evidence = `${ownAttributes.evidencePrefix}${stage}`;
  return spans.flatMap((span) => {
    const told = span.events.filter(({ name }) => name === stage || name === evidence);
    if (span.name !== stage) return told.map(({ attributes }) => ({ span, attributes, failed: false, unended: false }));
    const state = { span, failed: span.status.code === 'error', unended: span.endUnixNano === undefined };
    if (told.length === 0) return [{ ...state, attributes: span.attributes }];
    // A span and an event on it that have one name tell of one occurrence.
    return told.map(({ attributes }) => ({ ...state, attributes: new Map([...span.attributes, ...attributes]) }));
  });
}

/** Whether it took place and all counts are high enough; `unknown` where one of them is not told. */
function enough(
  { attributes, failed, unended }: Occurrence,
  { minimumCounts }: StageObservedParameters,
): 'yes' | 'no' | 'unknown' {
  if (failed) return 'no';
  const answers = Object.entries(minimumCounts).map(([key, least]) => {
    const value = attributes.get(key);
    if (typeof value !== 'number' && typeof value !== 'bigint') return 'unknown';
    return value >= least ? 'yes' : 'no';
  });
  if (answers.includes('no')) return 'no';
  return unended || answers.includes('unknown') ? 'unknown' : 'yes';
}

function tally(occurrences: readonly Occurrence[], given: StageObservedParameters): Tally {
  const answers = occurrences.map((occurrence) => enough(occurrence, given));
  const certain = answers.filter((answer) => answer === 'yes').length;
  return { certain, possible: answers.filter((answer) => answer !== 'no').length };
}

function missingFor(view: View, seen: readonly Occurrence[], verdict: CountVerdict): readonly MissingEvidence[] {
  if (verdict === 'met') return [];
  if (verdict === 'grouping') return [runsNotToldApart(view.run)];
  const counts =
    'the stage was seen without all of the counts; whoever writes its span or event would have to add them';
  const end = 'a span of the stage has not ended, and may still fail';
  const open = seen.some(({ unended }) => unended)
    ? { kind: 'visibility', message: end }
    : { kind: 'stamp', message: counts };
  return [...(verdict === 'open' ? [open] : []), ...undecided('whole', view)];
}

function tooFew(seen: readonly Occurrence[], enoughOf: number, given: StageObservedParameters): Finding {
  const stage = `"${displayName(given.stage)}"`;
  const spans = [...new Set(seen.map(({ span }) => span))];
  const wanted = given.atLeast;
  const failed = seen.filter((occurrence) => occurrence.failed).length;
  if (seen.length < wanted && failed === 0)
    return finding('stage-absent', { arguments: { stage, wanted, seen: seen.length }, spans });
  if (seen.length - failed < wanted)
    return finding('stage-failed', { arguments: { stage, wanted, seen: seen.length, failed }, spans });
  const attributes = Object.entries(given.minimumCounts).map(
    ([key, least]) => `${displayName(key)} of ${least} or more`,
  );
  return finding('count-too-low', { arguments: { stage, wanted, enough: enoughOf, attributes }, spans });
}

function evaluate(view: View, given: StageObservedParameters): Verdict {
  const perTrace = view.run.traces.map(({ spans }) => occurrencesIn(spans, given.stage));
  const seen = perTrace.flat();
  const range = { low: given.atLeast, high: Number.POSITIVE_INFINITY };
  const tallies = perTrace.map((occurrences) => tally(occurrences, given));
  const total = tally(seen, given);
  const verdict = isHeap(view.run) ? judgeHeap(tallies, { certain: 0, possible: 0 }, range) : judgeCount(total, range);
  const missing = missingFor(view, seen, verdict);
  const found = verdict === 'too-few' && missing.length === 0 ? [tooFew(seen, total.certain, given)] : [];
  return conclude({ examined: spansExamined(view.run), findings: found, missing, remarks: groundRemarks(view) });
}

export const stageObserved: Assertion<StageObservedParameters> = {
  id: 'StageObserved',
  summary: 'A stage of the run left evidence of itself: a span or event, with at least such counts.',
  needs: 'any trace that shows it; a whole one before it is called absent',
  parameters,
  findings,
  evaluate,
};
