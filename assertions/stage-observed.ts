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
      .describe('Name of a span or of a span event; `retrieval` also means otel_eval.evidence.retrieval.'),
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
}

function occurrencesIn(spans: readonly Span[], stage: string): readonly Occurrence[] {
  const evidence = `${ownAttributes.evidencePrefix}${stage}`;
  return spans.flatMap((span) => {
    const told = span.events.filter(({ name }) => name === stage || name === evidence);
    if (span.name !== stage) return told.map(({ attributes }) => ({ span, attributes }));
    if (told.length === 0) return [{ span, attributes: span.attributes }];
    // A span and an event on it that have one name tell of one occurrence.
    return told.map(({ attributes }) => ({ span, attributes: new Map([...span.attributes, ...attributes]) }));
  });
}

/** Whether all counts are high enough; `unknown` where one of them is not told. */
function enough({ attributes }: Occurrence, { minimumCounts }: StageObservedParameters): 'yes' | 'no' | 'unknown' {
  const answers = Object.entries(minimumCounts).map(([key, least]) => {
    const value = attributes.get(key);
    if (typeof value !== 'number' && typeof value !== 'bigint') return 'unknown';
    return value >= least ? 'yes' : 'no';
  });
  if (answers.includes('no')) return 'no';
  return answers.includes('unknown') ? 'unknown' : 'yes';
}

function tally(occurrences: readonly Occurrence[], given: StageObservedParameters): Tally {
  const answers = occurrences.map((occurrence) => enough(occurrence, given));
  const certain = answers.filter((answer) => answer === 'yes').length;
  return { certain, possible: answers.filter((answer) => answer !== 'no').length };
}

function missingFor(view: View, verdict: CountVerdict): readonly MissingEvidence[] {
  if (verdict === 'met') return [];
  if (verdict === 'grouping') return [runsNotToldApart(view.run)];
  const message =
    'the stage was seen without all of the counts; whoever writes its span or event would have to add them';
  return [...(verdict === 'open' ? [{ kind: 'stamp', message }] : []), ...undecided('whole', view)];
}

function evaluate(view: View, given: StageObservedParameters): Verdict {
  const perTrace = view.run.traces.map(({ spans }) => occurrencesIn(spans, given.stage));
  const seen = perTrace.flat();
  const range = { low: given.atLeast, high: Number.POSITIVE_INFINITY };
  const tallies = perTrace.map((occurrences) => tally(occurrences, given));
  const total = tally(seen, given);
  const verdict = isHeap(view.run) ? judgeHeap(tallies, { certain: 0, possible: 0 }, range) : judgeCount(total, range);
  const missing = missingFor(view, verdict);
  const stage = `"${displayName(given.stage)}"`;
  const spans = [...new Set(seen.map(({ span }) => span))];
  const found: Finding[] = [];
  if (verdict === 'too-few' && missing.length === 0) {
    const attributes = Object.entries(given.minimumCounts).map(
      ([key, least]) => `${displayName(key)} of ${least} or more`,
    );
    found.push(
      seen.length < given.atLeast
        ? finding('stage-absent', { arguments: { stage, wanted: given.atLeast, seen: seen.length }, spans })
        : finding('count-too-low', {
            arguments: { stage, wanted: given.atLeast, enough: total.certain, attributes },
            spans,
          }),
    );
  }
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
