import { z } from 'zod';
import type { ToolCall } from '../src/agent/run.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { judgeCount, judgeHeap } from '../src/verdict/count.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { operationOf } from '../src/verdict/operation.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence, unseen } from '../src/verdict/sight.ts';
import { talliesByTrace } from '../src/verdict/tallies.ts';
import { factsBehind, matchText, type ToolMatch, toolMatch } from '../src/verdict/tool-match.ts';
import { selectCalls, type ToolSelection, whyOpen } from '../src/verdict/tool-selection.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted } from '../src/verdict/wording.ts';

export interface ToolSucceededParameters {
  readonly match: ToolMatch;
  readonly expect: { readonly attempts: 'every' | 'last' | { readonly atLeast: number } };
  readonly evidence: 'result' | 'status';
  readonly identity?: readonly string[] | undefined;
}

const attempts = z
  .union(
    [z.enum(['every', 'last']), z.strictObject({ atLeast: z.int().min(1).describe('So many successes or more.') })],
    {
      error: 'expected every, last, or { atLeast: n } with n of 1 or more',
    },
  )
  .default('every')
  .describe('`every` matching attempt, the `last` of each operation, or at least so many.');

const parameters: z.ZodType<ToolSucceededParameters> = z
  .strictObject({
    match: toolMatch.default({}),
    expect: z.strictObject({ attempts }).default({ attempts: 'every' }).describe('Which attempts must have succeeded.'),
    evidence: z
      .enum(['result', 'status'])
      .default('result')
      .describe(
        '`result`: success needs a result that was seen. `status`: a call that ended without any mark of failure will do, where failures leave marks.',
      ),
    identity: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Arguments that tell one operation from another, for `last`; by default all of them.'),
  })
  .describe('Calls of a tool succeeded: ended, without any mark of failure, with a result that shows none.');

const findings = {
  'failed-calls': sentence<{ tool: string; failed: number; calls: number; evidence: readonly string[] }>({
    expected: ({ tool }) => `every call of ${tool} succeeded`,
    observed: ({ failed, calls, evidence }) =>
      `${failed} of ${counted(calls, 'call')} failed, as told by ${evidence.join(', ')}`,
  }),
  'last-attempt-failed': sentence<{ tool: string; failed: number; operations: number }>({
    expected: ({ tool }) => `the last attempt of each operation of ${tool} succeeded`,
    observed: ({ failed, operations }) => `it failed in ${failed} of ${counted(operations, 'operation')}`,
  }),
  'too-few-successes': sentence<{ tool: string; wanted: number; succeeded: number; calls: number }>({
    expected: ({ tool, wanted }) => `at least ${counted(wanted, 'call')} of ${tool} succeeded`,
    observed: ({ succeeded, calls }) => `${succeeded} of ${counted(calls, 'call')}`,
  }),
};
const finding = findingMaker('ToolSucceeded', findings);

interface Question {
  readonly view: View;
  readonly given: ToolSucceededParameters;
  readonly selection: ToolSelection;
  /** All that match for sure, also those of which nothing tells how they came out. */
  readonly calls: readonly ToolCall[];
}

interface Judged {
  readonly findings: readonly Finding[];
  readonly missing: readonly MissingEvidence[];
}

function readingOf(call: ToolCall, { given, view }: Question): 'good' | 'bad' | 'unclear' {
  if (call.outcome === 'succeeded' || (statusDecides(given, view) && endedByItsSpan(call))) return 'good';
  return call.outcome === 'failed' ? 'bad' : 'unclear';
}

/** That a call ended without a mark of failure tells something only where a failure would have left one. */
function statusDecides({ evidence }: ToolSucceededParameters, { run }: View): boolean {
  return evidence === 'status' && run.visibility.failureMarks === 'shown';
}

/** A span of its own that ended without a mark of failure. What only messages tell of has no status to go by. */
function endedByItsSpan({ outcome, spans }: ToolCall): boolean {
  return outcome === 'ended' && spans.length > 0;
}

function judgeEvery(question: Question): Judged {
  const { view, given, calls } = question;
  const failed = calls.filter((call) => readingOf(call, question) === 'bad');
  const missing = [...unclear(question), ...undecidedAbsence(view, factsBehind(given.match))];
  if (failed.length === 0) return { findings: [], missing };
  const evidence = [...new Set(failed.flatMap((call) => call.evidence))];
  const args = { tool: matchText(given.match), failed: failed.length, calls: calls.length, evidence };
  return { findings: [finding('failed-calls', { arguments: args, spans: mainSpans(failed) })], missing: [] };
}

function judgeLast(question: Question): Judged {
  const { view, given, calls } = question;
  const bad = calls.filter((call) => readingOf(call, question) === 'bad');
  const last = new Map<string, ToolCall>();
  for (const [index, call] of calls.entries()) last.set(operationOf(call, given.identity) ?? `? ${index}`, call);
  const lasts = [...last.values()];
  const failed = lasts.filter((call) => readingOf(call, question) === 'bad');
  const facts = factsBehind(given.match);
  if (bad.length > 0 && isHeap(view.run)) return { findings: [], missing: [runsNotToldApart(view.run)] };
  const superseded = triedAgain(question);
  const unsure = failed.some(superseded);
  const missing = [
    ...(unsure ? [attemptsNotToldApart] : []),
    ...unclear({ ...question, calls: lasts }),
    ...undecidedAbsence(view, facts),
  ];
  if (failed.length === 0 || missing.length > 0) return { findings: [], missing };
  const args = { tool: matchText(given.match), failed: failed.length, operations: lasts.length };
  return { findings: [finding('last-attempt-failed', { arguments: args, spans: mainSpans(failed) })], missing: [] };
}

const attemptsNotToldApart: MissingEvidence = {
  kind: 'content',
  message:
    'attempts of one operation cannot be told apart: arguments are not in the trace; content mode, otel_eval.attempt.operation or argument digests would tell',
};

/** Tells of a call whether a later one of its tool may try the same operation, where one of them does not tell its own. */
function triedAgain({ calls, given }: Question): (call: ToolCall) => boolean {
  const places = new Map(calls.map((call, place) => [call, place]));
  const latest = new Map<string | null, number>();
  const latestUnknown = new Map<string | null, number>();
  for (const [place, call] of calls.entries()) {
    latest.set(call.name, place);
    if (operationOf(call, given.identity) === null) latestUnknown.set(call.name, place);
  }
  return (call) => {
    const candidates = operationOf(call, given.identity) === null ? latest : latestUnknown;
    return (candidates.get(call.name) ?? -1) > (places.get(call) ?? 0);
  };
}

function judgeAtLeast(question: Question, wanted: number): Judged {
  const { view, given, selection, calls } = question;
  const good = calls.filter((call) => readingOf(call, question) === 'good');
  const open = [...calls.filter((call) => readingOf(call, question) === 'unclear'), ...incomparable(selection)];
  const range = { low: wanted, high: Number.POSITIVE_INFINITY };
  const verdict = isHeap(view.run)
    ? judgeHeap(...talliesByTrace(view.run, good, open), range)
    : judgeCount({ certain: good.length, possible: good.length + open.length }, range);
  if (verdict === 'met') return { findings: [], missing: [] };
  if (verdict === 'grouping') return { findings: [], missing: [runsNotToldApart(view.run)] };
  const missing = [
    ...(verdict === 'open' ? unclear(question) : []),
    ...undecidedAbsence(view, factsBehind(given.match)),
  ];
  if (missing.length > 0) return { findings: [], missing };
  const args = { tool: matchText(given.match), wanted, succeeded: good.length, calls: calls.length };
  return { findings: [finding('too-few-successes', { arguments: args, spans: mainSpans(calls) })], missing: [] };
}

function incomparable({ possible }: ToolSelection): readonly ToolCall[] {
  return possible.filter(({ answer }) => answer === 'unknown').map(({ call }) => call);
}

/** What keeps calls that did not fail from counting as successes. */
function unclear(question: Question): readonly MissingEvidence[] {
  const { view, calls, given, selection } = question;
  const ended = calls.filter((call) => call.outcome === 'ended' && readingOf(call, question) === 'unclear').length;
  const unknown = calls.filter(({ outcome }) => outcome === 'unknown').length;
  const open: MissingEvidence[] = [];
  if (ended > 0 && given.evidence === 'status') open.push(...unseen(view.run, ['failureMarks']));
  if (ended > 0) {
    const message = `${counted(ended, 'call')} ended and the result is not in the trace; content mode or otel_eval.tool.result_failed would tell, and evidence: status accepts a call whose own span ended`;
    open.push({ kind: 'content', message });
  }
  if (unknown > 0) {
    const message = `the trace does not say how ${counted(unknown, 'call')} came out; a tool span that ends would tell`;
    open.push({ kind: 'visibility', message });
  }
  const compared = { ...selection, possible: selection.possible.filter(({ answer }) => answer === 'unknown') };
  return [...open, ...whyOpen(given.match, compared)];
}

function mainSpans(calls: readonly ToolCall[]): ToolCall['spans'] {
  return calls.flatMap(({ spans }) => spans.slice(0, 1));
}

function judge(question: Question): Judged {
  const { view, given, calls, selection } = question;
  if (calls.length + selection.possible.length === 0) {
    const idle = selection.others.filter(({ answer }) => answer === 'yes').length;
    const refused = idle > 0 ? `; ${counted(idle, 'call')} did not run` : '';
    const message = `no call of ${matchText(given.match)} ran${refused}, so nothing is shown of its success`;
    return {
      findings: [],
      missing: [{ kind: 'nothing-examined', message }, ...undecidedAbsence(view, factsBehind(given.match))],
    };
  }
  const { attempts: wanted } = given.expect;
  if (wanted === 'every') return judgeEvery(question);
  return wanted === 'last' ? judgeLast(question) : judgeAtLeast(question, wanted.atLeast);
}

/** All that match for sure, in causal order. */
function matchingCalls({ run }: View, { certain, possible }: ToolSelection): readonly ToolCall[] {
  const further = possible.filter(({ answer }) => answer === 'yes').map(({ call }) => call);
  if (further.length === 0) return certain;
  const known = new Set([...certain, ...further]);
  return run.toolCalls.filter((call) => known.has(call));
}

function evaluate(view: View, given: ToolSucceededParameters): Verdict {
  const selection = selectCalls(view, given.match);
  const calls = matchingCalls(view, selection);
  const accepted = statusDecides(given, view) ? calls.filter(endedByItsSpan).length : 0;
  const remark = `${counted(accepted, 'call')} ended without a visible result and counted as success, as evidence: status says`;
  return conclude({
    examined: spansExamined(view.run),
    ...judge({ view, given, selection, calls }),
    remarks: [...(accepted > 0 ? [remark] : []), ...groundRemarks(view)],
  });
}

export const toolSucceeded: Assertion<ToolSucceededParameters> = {
  id: 'ToolSucceeded',
  summary: 'Calls of a tool succeeded: every one, the last of each operation, or so many.',
  needs:
    'for atLeast, and for a call that failed, any trace; else a whole one in which tool calls, failed ones too, are shown; results, or evidence: status',
  parameters,
  findings,
  evaluate,
};
