import { z } from 'zod';
import { displayName } from '../src/trace/display-name.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { type FinalAnswer, finalAnswerOf } from '../src/verdict/final-answer.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, listed } from '../src/verdict/wording.ts';

export interface CitationsSupportedParameters {
  readonly pattern: string;
  readonly atLeast: number;
  readonly allowEmpty?: string | undefined;
}

const defaultPattern = '\\[source:([^\\]\\s]+)\\]';

const parameters: z.ZodType<CitationsSupportedParameters> = z
  .strictObject({
    pattern: z
      .string()
      .min(1)
      .refine(hasOneGroup, { error: 'expected a regular expression with one group, the cited id' })
      .default(defaultPattern)
      .describe('A regular expression that finds a citation; its one group is the cited id. Default: [source:ID].'),
    atLeast: z.int().min(1).default(1).describe('So many different ids are cited.'),
    allowEmpty: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('Why the answer may cite nothing; without it that is inconclusive.'),
  })
  .describe('Every id that the final answer cites is among those that retrieval returned in this run.');

function hasOneGroup(pattern: string): boolean {
  try {
    return new RegExp(`${pattern}|`, 'u').exec('')?.length === 2;
  } catch {
    return false;
  }
}

// A cited id is a part of the answer, perhaps an invented one, so findings tell its place and not the id.
const findings = {
  'unsupported-citation': sentence<{
    unsupported: number;
    citations: number;
    places: readonly string[];
    retrieved: number;
  }>({
    expected: ({ retrieved }) => `every cited id is one of ${counted(retrieved, 'retrieved document')}`,
    observed: ({ unsupported, citations, places }) =>
      `${unsupported} of ${counted(citations, 'cited id')} ${unsupported === 1 ? 'is' : 'are'} not: number ${listed(places)}`,
  }),
  'too-few-citations': sentence<{ wanted: number; citations: number }>({
    expected: ({ wanted }) => `at least ${counted(wanted, 'cited id')}`,
    observed: ({ citations }) => counted(citations, 'cited id'),
  }),
};
const finding = findingMaker('CitationsSupported', findings);

interface Judged {
  readonly findings: readonly Finding[];
  readonly missing: readonly MissingEvidence[];
  readonly remarks?: readonly string[];
}

const noRetrieval: MissingEvidence = {
  kind: 'visibility',
  message: 'the trace holds no retrieval; a retrieval span with the ids of its documents would show what was returned',
};
const noIds: MissingEvidence = {
  kind: 'content',
  message:
    'a retrieval does not tell the ids of its documents; gen_ai.retrieval.documents or an otel_eval.evidence event would',
};

function judge(view: View, { call, text }: FinalAnswer, given: CitationsSupportedParameters): Judged {
  const spans = call.spans.slice(0, 1);
  const cited = [...new Set([...text.matchAll(new RegExp(given.pattern, 'gu'))].flatMap(([, id]) => id ?? []))];
  if (cited.length === 0) return withoutCitations(given);
  const { retrievals } = view.run;
  const known = new Set(retrievals.flatMap(({ documentIds = [] }) => documentIds));
  const unsupported = cited.flatMap((id, index) => (known.has(id) ? [] : [String(index + 1)]));
  const found: Finding[] = [];
  if (cited.length < given.atLeast) {
    found.push(finding('too-few-citations', { arguments: { wanted: given.atLeast, citations: cited.length }, spans }));
  }
  if (unsupported.length === 0) return { findings: found, missing: [] };
  if (retrievals.length === 0) return { findings: found, missing: [noRetrieval] };
  if (retrievals.some(({ documentIds }) => documentIds === undefined)) return { findings: found, missing: [noIds] };
  const args = { unsupported: unsupported.length, citations: cited.length, places: unsupported, retrieved: known.size };
  return { findings: [...found, finding('unsupported-citation', { arguments: args, spans })], missing: [] };
}

function withoutCitations({ allowEmpty }: CitationsSupportedParameters): Judged {
  if (allowEmpty !== undefined) {
    return {
      findings: [],
      missing: [],
      remarks: [`the answer cites nothing, which is allowed: ${displayName(allowEmpty)}`],
    };
  }
  const message = 'the answer cites nothing, so no citation was looked at; allowEmpty with a reason would accept that';
  return { findings: [], missing: [{ kind: 'nothing-examined', message }] };
}

function evaluate(view: View, given: CitationsSupportedParameters): Verdict {
  const { answer, missing } = finalAnswerOf(view);
  const decided = answer === undefined || missing.length > 0 ? { findings: [], missing } : judge(view, answer, given);
  const remarks = [...('remarks' in decided ? (decided.remarks ?? []) : []), ...groundRemarks(view)];
  return conclude({ examined: spansExamined(view.run), findings: decided.findings, missing: decided.missing, remarks });
}

export const citationsSupported: Assertion<CitationsSupportedParameters> = {
  id: 'CitationsSupported',
  summary: 'Every id that the final answer cites is among those that retrieval returned.',
  needs: 'a whole trace in which model calls are shown, with content, and retrievals tell the ids of their documents',
  parameters,
  findings,
  evaluate,
};
