import { z } from 'zod';
import { displayName } from '../src/trace/display-name.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted } from '../src/verdict/wording.ts';

export interface RetrievedParameters {
  readonly documents?: readonly string[] | undefined;
  readonly within?: number | undefined;
  readonly atLeast: number;
}

const parameters: z.ZodType<RetrievedParameters> = z
  .strictObject({
    documents: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Ids of documents that retrieval returned, all of them.'),
    within: z.int().min(1).optional().describe('Each of them among the first so many results of a retrieval.'),
    atLeast: z.int().min(1).default(1).describe('So many retrievals or more.'),
  })
  .refine(({ documents, within }) => within === undefined || documents !== undefined, {
    error: 'expected documents beside within, got none',
  })
  .describe('Retrieval took place and returned the documents that were wanted.');

const findings = {
  'document-not-retrieved': sentence<{ document: string; retrievals: number; within: number | null }>({
    expected: ({ document, within }) =>
      `${document} among ${within === null ? 'the results' : `the first ${within} results`} of a retrieval`,
    observed: ({ retrievals }) => `not there, in ${counted(retrievals, 'retrieval')}`,
  }),
  'too-few-retrievals': sentence<{ wanted: number; retrievals: number }>({
    expected: ({ wanted }) => `at least ${counted(wanted, 'retrieval')}`,
    observed: ({ retrievals }) => counted(retrievals, 'retrieval'),
  }),
};
const finding = findingMaker('Retrieved', findings);

const noIds: MissingEvidence = {
  kind: 'content',
  message:
    'a retrieval does not tell the ids of its documents; gen_ai.retrieval.documents or an otel_eval.evidence event would',
};

function evaluate(view: View, { documents = [], within, atLeast }: RetrievedParameters): Verdict {
  const { retrievals } = view.run;
  const spans = retrievals.flatMap((retrieval) => retrieval.spans.slice(0, 1));
  if (retrievals.length === 0) {
    const message =
      'the trace holds no retrieval; an instrumentation that writes a span for each of them would show it';
    return conclude({
      examined: 0,
      missing: [{ kind: 'nothing-examined', message }, ...undecidedAbsence(view, ['retrievals'])],
    });
  }
  const returned = new Set(retrievals.flatMap(({ documentIds }) => documentIds?.slice(0, within) ?? []));
  const absent = documents.filter((document) => !returned.has(document));
  const tooFew = retrievals.length < atLeast;
  // A document that is there, and enough retrievals, no further span can undo; what is absent needs the whole.
  const missing = [
    ...(absent.length > 0 || tooFew ? undecidedAbsence(view, ['retrievals']) : []),
    ...(absent.length > 0 && retrievals.some(({ documentIds }) => documentIds === undefined) ? [noIds] : []),
    ...(isHeap(view.run) ? [runsNotToldApart(view.run)] : []),
  ];
  const found: Finding[] = [];
  if (missing.length === 0 && tooFew) {
    found.push(finding('too-few-retrievals', { arguments: { wanted: atLeast, retrievals: retrievals.length }, spans }));
  }
  for (const document of missing.length === 0 ? absent : []) {
    const args = { document: `"${displayName(document)}"`, retrievals: retrievals.length, within: within ?? null };
    found.push(finding('document-not-retrieved', { arguments: args, spans }));
  }
  return conclude({ examined: spans.length, findings: found, missing, remarks: groundRemarks(view) });
}

export const retrieved: Assertion<RetrievedParameters> = {
  id: 'Retrieved',
  summary: 'Retrieval took place and returned the documents that were wanted.',
  needs:
    'a trace that shows retrievals with the ids of their documents; a whole one in which retrievals are shown before a document is called absent',
  parameters,
  findings,
  evaluate,
};
