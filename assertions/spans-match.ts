import { z } from 'zod';
import { displayName } from '../src/trace/display-name.ts';
import type { Span } from '../src/trace/span.ts';
import type { SpanQuery } from '../src/trace/span-query.ts';
import { compileSpanQuery } from '../src/trace/span-query.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import {
  type CountVerdict,
  countComplaint,
  judgeCount,
  judgeHeap,
  type Range,
  rangeOf,
  wantedText,
} from '../src/verdict/count.ts';
import { cutBehindQueries } from '../src/verdict/cut-evidence.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, referenceTo, sentence } from '../src/verdict/finding.ts';
import { mayTurn } from '../src/verdict/query-stability.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import { spanQuery } from '../src/verdict/span-query-schema.ts';
import { differingParts, queryText } from '../src/verdict/span-query-text.ts';
import { factsBehindQuery, namesHere, type SelectedSpans, selectInRun } from '../src/verdict/span-selection.ts';
import { inTreeOrder } from '../src/verdict/tree-order.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, listed } from '../src/verdict/wording.ts';

export interface SpansExpectation {
  readonly every?: SpanQuery | undefined;
  readonly none?: SpanQuery | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
  readonly exactly?: number | undefined;
  readonly that?: SpanQuery | undefined;
}

export interface SpansMatchParameters {
  readonly match: SpanQuery;
  readonly expect: SpansExpectation;
  readonly allowEmpty?: string | undefined;
}

const count = z.int().min(0).optional();

const expectation: z.ZodType<SpansExpectation> = z
  .strictObject({
    every: spanQuery.optional().describe('Every matching span meets this.'),
    none: spanQuery.optional().describe('No matching span meets this.'),
    atLeast: count.describe('So many matching spans or more (of those that meet `that`).'),
    atMost: count.describe('So many matching spans or fewer (of those that meet `that`).'),
    exactly: count.describe('So many matching spans (of those that meet `that`).'),
    that: spanQuery.optional().describe('What the counted spans meet beyond `match`.'),
  })
  .superRefine((expect, context) => {
    const complaint = complaintAbout(expect);
    if (complaint !== undefined) context.addIssue({ code: 'custom', message: complaint });
  });

function complaintAbout({ every, none, that, ...counts }: SpansExpectation): string | undefined {
  const queries = [every, none].filter((query) => query !== undefined).length;
  const counting = Object.values(counts).some((value) => value !== undefined);
  if (queries + (counting ? 1 : 0) !== 1) return 'expected one of every, none, or a count (atLeast, atMost, exactly)';
  if (that !== undefined && !counting) return 'expected `that` beside a count; every and none hold their own query';
  return counting ? countComplaint(counts) : undefined;
}

const parameters: z.ZodType<SpansMatchParameters> = z
  .strictObject({
    match: spanQuery,
    expect: expectation.describe('What must hold of the matching spans.'),
    allowEmpty: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('Why it may be that no span matches; without it that is inconclusive.'),
  })
  .describe('Spans selected by a query meet an expectation.');

type EachArguments = {
  readonly match: string;
  readonly expectation: string;
  readonly matching: number;
  readonly violating: number;
};
type CountArguments = {
  readonly match: string;
  readonly wanted: string;
  readonly spans: number;
  readonly matching: number;
};

const observedCount = ({ spans, matching }: CountArguments): string =>
  spans === matching ? counted(spans, 'span') : `${spans} of ${counted(matching, 'matching span')}`;

const findings = {
  'not-every': sentence<EachArguments>({
    expected: ({ match, expectation: wanted }) => `every span with ${match} has ${wanted}`,
    observed: ({ matching, violating }) =>
      `${violating} of ${counted(matching, 'span')} ${violating === 1 ? 'has' : 'have'} not`,
  }),
  'forbidden-span': sentence<EachArguments>({
    expected: ({ match, expectation: wanted }) => `no span with ${match} has ${wanted}`,
    observed: ({ matching, violating }) =>
      `${violating} of ${counted(matching, 'span')} ${violating === 1 ? 'has' : 'have'}`,
  }),
  'too-few-spans': sentence<CountArguments>({
    expected: ({ match, wanted }) => `${wanted} with ${match}`,
    observed: observedCount,
  }),
  'too-many-spans': sentence<CountArguments>({
    expected: ({ match, wanted }) => `${wanted} with ${match}`,
    observed: observedCount,
  }),
};
const finding = findingMaker('SpansMatch', findings);

type NearMisses = NonNullable<Finding['nearMisses']>;

interface Judged {
  readonly findings: readonly Finding[];
  readonly missing: readonly MissingEvidence[];
}

function judgeEach(view: View, { match, expect }: SpansMatchParameters, selected: readonly SelectedSpans[]): Judged {
  const wanted = expect.every ?? expect.none ?? {};
  const meets = ({ spans, context }: SelectedSpans, holds: boolean) => {
    const test = compileSpanQuery(wanted, context);
    return spans.filter((span) => test(span) === holds);
  };
  const violating = selected.flatMap((one) => meets(one, expect.every === undefined));
  const matching = matchingSpans(selected).length;
  const violation = expect.every === undefined ? 'matches' : 'matches-not';
  if (violating.length === 0 || mayTurn(match, 'matches', view) || mayTurn(wanted, violation, view)) {
    const facts = [...factsBehindQuery(match), ...factsBehindQuery(wanted)];
    const missing = undecidedAbsence(view, facts);
    if (violating.length === 0 || missing.length > 0) return { findings: [], missing };
  }
  const args = { match: queryText(match), expectation: queryText(wanted), matching, violating: violating.length };
  const nearMisses = expect.every === undefined ? [] : missesOf(selected, violating, wanted);
  const code = expect.every === undefined ? 'forbidden-span' : 'not-every';
  return { findings: [finding(code, { arguments: args, spans: violating, nearMisses })], missing: [] };
}

function judgeNumber(view: View, { match, expect }: SpansMatchParameters, selected: readonly SelectedSpans[]): Judged {
  const { atLeast, atMost, exactly, that = {} } = expect;
  const range = rangeOf({ atLeast, atMost, exactly });
  const meeting = selected.map(({ spans, context }) => spans.filter(compileSpanQuery(that, context)));
  const spans = meeting.flat();
  const verdict = verdictOn(view, meeting, range);
  const facts = [...factsBehindQuery(match), ...factsBehindQuery(that)];
  const undoable =
    verdict === 'too-few' ||
    (verdict === 'met' && range.high < Number.POSITIVE_INFINITY) ||
    mayTurn(match, 'matches', view) ||
    mayTurn(that, 'matches', view);
  const missing = undoable ? undecidedAbsence(view, facts) : [];
  if (verdict === 'met') return { findings: [], missing };
  if (verdict === 'grouping') return { findings: [], missing: [runsNotToldApart(view.run)] };
  if (missing.length > 0) return { findings: [], missing };
  const args = {
    match: expect.that === undefined ? queryText(match) : `${queryText(match)} that has ${queryText(that)}`,
    wanted: wantedText(range, 'span'),
    spans: spans.length,
    matching: matchingSpans(selected).length,
  };
  const near = selected.map((one, index) => ({ one, met: new Set(meeting[index]) }));
  const nearMisses = near.flatMap(({ one, met }) =>
    missesOf(
      [one],
      one.spans.filter((span) => !met.has(span)),
      that,
    ),
  );
  return {
    findings: [
      verdict === 'too-few'
        ? finding('too-few-spans', { arguments: args, spans, nearMisses: nearMisses.slice(0, mostMisses) })
        : finding('too-many-spans', { arguments: args, spans }),
    ],
    missing: [],
  };
}

function verdictOn(view: View, meeting: readonly (readonly Span[])[], range: Range): CountVerdict {
  const tallies = meeting.map(({ length }) => ({ certain: length, possible: length }));
  if (isHeap(view.run)) return judgeHeap(tallies, { certain: 0, possible: 0 }, range);
  const total = meeting.flat().length;
  return judgeCount({ certain: total, possible: total }, range);
}

function matchingSpans(selected: readonly SelectedSpans[]): readonly Span[] {
  const [only] = selected;
  return only !== undefined && selected.length === 1 ? only.spans : selected.flatMap(({ spans }) => spans);
}

const mostMisses = 5;

function missesOf(selected: readonly SelectedSpans[], spans: readonly Span[], wanted: SpanQuery): NearMisses {
  const misses = selected.flatMap(({ trace, context }) =>
    spans
      .filter((span) => trace.spansById.get(span.spanId) === span)
      .slice(0, mostMisses)
      .map((span) => ({
        span: referenceTo(span),
        difference: `differs: ${listed(differingParts(wanted, span, context))}`,
      })),
  );
  return misses.slice(0, mostMisses);
}

function evaluate(view: View, given: SpansMatchParameters): Verdict {
  const { expect, allowEmpty, match } = given;
  const selected = selectInRun(view, match);
  const matching = matchingSpans(selected).length;
  if (matching === 0 && allowEmpty === undefined) {
    const message = `no span matches ${queryText(match)}; ${namesHere(view)}; allowEmpty with a reason would accept none`;
    return conclude({ examined: 0, missing: [{ kind: 'nothing-examined', message }, ...undecidedAbsence(view, [])] });
  }
  const judge = expect.every === undefined && expect.none === undefined ? judgeNumber : judgeEach;
  const cut = cutBehindQueries(view, [match, expect.every, expect.none, expect.that]);
  const { findings: found, missing } = cut.length > 0 ? { findings: [], missing: cut } : judge(view, given, selected);
  const empty = matching === 0 ? [`no span matches, which is allowed: ${displayName(allowEmpty ?? '')}`] : [];
  return conclude({
    examined: matching === 0 ? spansExamined(view.run) : matching,
    findings: inTreeOrder(found, view.run.traces),
    missing,
    remarks: [...empty, ...groundRemarks(view)],
  });
}

export const spansMatch: Assertion<SpansMatchParameters> = {
  id: 'SpansMatch',
  summary: 'Spans selected by a query meet an expectation: every, none, or so many of them.',
  needs: 'for atLeast, and for a violation of every and none, any trace; else a whole one',
  parameters,
  findings,
  evaluate,
};
