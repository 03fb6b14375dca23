import type { ToolCall } from '../agent/run.ts';
import type { Answer } from './argument-match.ts';
import type { View } from './assertion.ts';
import { isHeap, runsNotToldApart } from './boundary.ts';
import { type CountVerdict, judgeCount, judgeHeap, type Range, type Tally } from './count.ts';
import { undecidedAbsence } from './sight.ts';
import { talliesByTrace } from './tallies.ts';
import { didRun, factsBehind, type MatchAnswer, matchCall, type ToolMatch, uncomparable } from './tool-match.ts';
import type { MissingEvidence } from './verdict.ts';

export interface ComparedCall extends MatchAnswer {
  readonly call: ToolCall;
  readonly ran: Answer;
}

/** The tool calls of a run held against one match. */
export interface ToolSelection {
  /** They match and ran. */
  readonly certain: readonly ToolCall[];
  /** They may match, or may have run. */
  readonly possible: readonly ComparedCall[];
  readonly others: readonly ComparedCall[];
}

export function selectCalls(view: View, match: ToolMatch): ToolSelection {
  const certain: ToolCall[] = [];
  const possible: ComparedCall[] = [];
  const others: ComparedCall[] = [];
  for (const call of view.run.toolCalls) {
    const { answer, differing } = matchCall(call, match, view.digest);
    const ran = didRun(call);
    if (answer === 'yes' && ran === 'yes') certain.push(call);
    else (answer === 'no' || ran === 'no' ? others : possible).push({ call, ran, answer, differing });
  }
  return { certain, possible, others };
}

export interface JudgedCount {
  readonly verdict: CountVerdict;
  /** What is missing before the verdict may be given; empty when it may. */
  readonly missing: readonly MissingEvidence[];
}

/** How many calls matched, against how many were wanted, as far as this view can decide it. */
export function judgeToolCount(view: View, match: ToolMatch, range: Range): JudgedCount & { selection: ToolSelection } {
  const selection = selectCalls(view, match);
  const verdict = isHeap(view.run)
    ? judgeHeap(
        ...talliesByTrace(
          view.run,
          selection.certain,
          selection.possible.map(({ call }) => call),
        ),
        range,
      )
    : judgeCount(tallyOf(selection), range);
  return { selection, verdict, missing: missingFor(verdict, { view, match, range, selection }) };
}

interface Question {
  readonly view: View;
  readonly match: ToolMatch;
  readonly range: Range;
  readonly selection: ToolSelection;
}

function missingFor(verdict: CountVerdict, { view, match, range, selection }: Question): readonly MissingEvidence[] {
  if (verdict === 'too-many') return [];
  if (verdict === 'grouping') return [runsNotToldApart(view.run)];
  if (verdict === 'open') return [...undecidedAbsence(view, factsBehind(match)), ...whyOpen(match, selection)];
  // More spans cannot undo "at least".
  if (verdict === 'met' && range.high === Number.POSITIVE_INFINITY) return [];
  return undecidedAbsence(view, factsBehind(match));
}

/** Why some calls cannot be counted in or out. */
export function whyOpen(match: ToolMatch, { possible }: ToolSelection): readonly MissingEvidence[] {
  const incomparable = possible.some(({ answer }) => answer === 'unknown');
  const undetermined = possible.filter(({ ran }) => ran === 'unknown').length;
  return [
    ...(incomparable ? [{ kind: 'content', message: uncomparable(match) }] : []),
    ...(undetermined > 0
      ? [
          {
            kind: 'visibility',
            message: `the trace does not say whether ${undetermined} of the calls ran; a tool span that ends, or the result in the next model call, would tell`,
          },
        ]
      : []),
  ];
}

function tallyOf({ certain, possible }: ToolSelection): Tally {
  return { certain: certain.length, possible: certain.length + possible.length };
}
