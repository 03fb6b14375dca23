import { z } from 'zod';
import type { Run } from '../src/agent/run.ts';
import { displayName } from '../src/trace/display-name.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import {
  type CountExpectation,
  type CountVerdict,
  countExpectation,
  judgeCount,
  judgeHeap,
  rangeOf,
  type Tally,
  wantedText,
} from '../src/verdict/count.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import { byTrace } from '../src/verdict/tallies.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { listed, quoted } from '../src/verdict/wording.ts';

export interface HandedOffParameters {
  readonly match: { readonly from?: string | undefined; readonly to?: string | undefined };
  readonly expect: CountExpectation;
}

const parameters: z.ZodType<HandedOffParameters> = z
  .strictObject({
    match: z
      .strictObject({
        from: z.string().min(1).optional().describe('Agent that gave control away.'),
        to: z.string().min(1).optional().describe('Agent that took it over.'),
      })
      .default({})
      .describe('Which handoffs are meant; an empty match means all.'),
    expect: countExpectation
      .default({ atLeast: 1 })
      .describe('How many of them: atLeast (default 1), atMost, exactly or none.'),
  })
  .describe(
    'One agent passed control on to another. A tool that asks another agent and gets its answer is a tool call.',
  );

type HandoffArguments = {
  readonly match: string;
  readonly wanted: string;
  readonly handoffs: number;
  readonly seen: readonly string[];
};
const clauses = {
  expected: ({ match, wanted }: HandoffArguments) => `${wanted} ${match}`,
  observed: ({ handoffs, seen }: HandoffArguments) =>
    seen.length === 0 ? 'no handoff' : `${handoffs}; the handoffs are ${listed(seen)}`,
};
const findings = {
  'too-few-handoffs': sentence<HandoffArguments>(clauses),
  'too-many-handoffs': sentence<HandoffArguments>(clauses),
};
const finding = findingMaker('HandedOff', findings);

type Handoff = Run['handoffs'][number];

function fits({ from, to }: Handoff, { match }: HandedOffParameters): 'yes' | 'no' | 'unknown' {
  const answers = [
    match.from === undefined || from === match.from ? 'yes' : from === null ? 'unknown' : 'no',
    match.to === undefined || to === match.to ? 'yes' : to === null ? 'unknown' : 'no',
  ] as const;
  if (answers.includes('no')) return 'no';
  return answers.includes('unknown') ? 'unknown' : 'yes';
}

function tally(handoffs: readonly Handoff[], given: HandedOffParameters): Tally {
  const answers = handoffs.map((handoff) => fits(handoff, given));
  const certain = answers.filter((answer) => answer === 'yes').length;
  return { certain, possible: answers.filter((answer) => answer !== 'no').length };
}

function missingFor(view: View, verdict: CountVerdict, high: number): readonly MissingEvidence[] {
  if (verdict === 'too-many' || (verdict === 'met' && high === Number.POSITIVE_INFINITY)) return [];
  if (verdict === 'grouping') return [runsNotToldApart(view.run)];
  const message = 'the trace does not name the agents of every handoff; a handoff span with both names would';
  const open = verdict === 'open' ? [{ kind: 'visibility', message }] : [];
  return [...open, ...undecidedAbsence(view, ['handoffs'])];
}

function evaluate(view: View, given: HandedOffParameters): Verdict {
  const { run } = view;
  const range = rangeOf(given.expect);
  const { perTrace, loose } = byTrace(run, run.handoffs);
  const verdict = isHeap(run)
    ? judgeHeap(
        perTrace.map((handoffs) => tally(handoffs, given)),
        tally(loose, given),
        range,
      )
    : judgeCount(tally(run.handoffs, given), range);
  const missing = missingFor(view, verdict, range.high);
  const matching = run.handoffs.filter((handoff) => fits(handoff, given) === 'yes');
  const args = {
    match: matchText(given),
    wanted: wantedText(range, 'handoff'),
    handoffs: matching.length,
    seen: run.handoffs.map(({ from, to }) => `${nameOf(from)} to ${nameOf(to)}`),
  };
  const spans = (verdict === 'too-few' ? run.handoffs : matching).flatMap((handoff) => handoff.spans.slice(0, 1));
  const found: Finding[] = [];
  if (verdict === 'too-few' && missing.length === 0)
    found.push(finding('too-few-handoffs', { arguments: args, spans }));
  if (verdict === 'too-many') found.push(finding('too-many-handoffs', { arguments: args, spans }));
  return conclude({ examined: spansExamined(run), findings: found, missing, remarks: groundRemarks(view) });
}

function matchText({ match: { from, to } }: HandedOffParameters): string {
  const parts = [from === undefined ? '' : `from ${quoted(from)}`, to === undefined ? '' : `to ${quoted(to)}`];
  return parts.filter((part) => part !== '').join(' ') || 'between any agents';
}

function nameOf(agent: string | null): string {
  return agent === null ? 'an agent without a name' : `"${displayName(agent)}"`;
}

export const handedOff: Assertion<HandedOffParameters> = {
  id: 'HandedOff',
  summary: 'One agent passed control on to another, so many times.',
  needs: 'for atLeast any trace that shows the handoffs; else a whole one in which handoffs are shown',
  parameters,
  findings,
  evaluate,
};
