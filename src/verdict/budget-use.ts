import type { ModelCall, ToolCall } from '../agent/run.ts';
import type { Span } from '../trace/span.ts';
import type { View } from './assertion.ts';
import { isHeap } from './boundary.ts';
import { type CountVerdict, judgeCount, judgeHeap, type Tally } from './count.ts';
import type { Fact } from './sight.ts';
import { byTrace, type Tallies, talliesByTrace } from './tallies.ts';
import { didRun } from './tool-match.ts';

/** How much of one thing a run has used, against its bound. */
export interface BudgetUse {
  /** `spans`, `attempts of "search"`, `input tokens`. */
  readonly what: string;
  readonly verdict: CountVerdict;
  /** What was used for certain. */
  readonly used: number;
  readonly spans: readonly Span[];
  /** Facts that must be shown before the use may be called within its bound. */
  readonly facts: readonly Fact[];
  /** Why it is open, where it is. */
  readonly open: string;
}

export interface Budgeted extends Pick<BudgetUse, 'what' | 'facts' | 'open'> {
  readonly max: number;
}

export const openCalls =
  'the trace does not tell of every call whether it ran and of which tool it was; ended tool spans with gen_ai.tool.name would tell';
export const callFacts: readonly Fact[] = ['toolCalls', 'failedToolCalls'];
const modelFacts: readonly Fact[] = ['modelCalls', 'failedModelCalls'];

export function spansUse(view: View, max: number): BudgetUse {
  const tallies = view.run.traces.map(({ spans }) => exact(spans.length));
  return useOf(view, [tallies, exact(0)], { what: 'spans', facts: [], open: '', max });
}

export function stepsUse(view: View, max: number): BudgetUse {
  const tallies = talliesOf(view, view.run.steps, ({ length }) => exact(length));
  return useOf(view, tallies, { what: 'steps', facts: [...modelFacts, ...callFacts], open: '', max });
}

export function modelCallsUse(view: View, max: number): BudgetUse {
  const { modelCalls } = view.run;
  const tallies = talliesOf(view, modelCalls, (calls) => sumOf(calls.map(tallyOfModelCall)));
  const open = 'a span stands for several model calls and does not tell how many; a span for each call would tell';
  const use = useOf(view, tallies, { what: 'model calls', facts: modelFacts, open, max });
  return { ...use, spans: modelCalls.flatMap(({ spans }) => spans.slice(0, 1)) };
}

function tallyOfModelCall({ calls }: ModelCall): Tally {
  return calls === null ? { certain: 1, possible: Number.POSITIVE_INFINITY } : exact(calls);
}

/** All tool calls that ran, failed ones included. */
export function toolCallsUse(view: View, max: number): BudgetUse {
  const certain = view.run.toolCalls.filter((call) => didRun(call) === 'yes');
  const possible = view.run.toolCalls.filter((call) => didRun(call) === 'unknown');
  return callsUse(view, { certain, possible }, { what: 'tool calls', facts: callFacts, open: openCalls, max });
}

export interface Ran {
  readonly certain: readonly ToolCall[];
  readonly possible: readonly ToolCall[];
}

export function callsUse(view: View, { certain, possible }: Ran, budgeted: Budgeted): BudgetUse {
  const tallies = talliesByTrace(view.run, certain, possible);
  return { ...useOf(view, tallies, budgeted), spans: certain.flatMap(({ spans }) => spans.slice(0, 1)) };
}

function useOf(view: View, [perTrace, loose]: Tallies, { what, facts, open, max }: Budgeted): BudgetUse {
  const range = { low: 0, high: max };
  const total = sumOf([...perTrace, loose]);
  const verdict = isHeap(view.run) ? judgeHeap(perTrace, loose, range) : judgeCount(total, range);
  return { what, verdict, used: total.certain, spans: [], facts, open };
}

function talliesOf<Item extends { readonly spans: readonly Span[] }>(
  view: View,
  items: readonly Item[],
  tallyOf: (items: readonly Item[]) => Tally,
): Tallies {
  const { perTrace, loose } = byTrace(view.run, items);
  return [perTrace.map(tallyOf), tallyOf(loose)];
}

function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { certain, possible }) => ({ certain: sum.certain + certain, possible: sum.possible + possible }),
    exact(0),
  );
}

function exact(count: number): Tally {
  return { certain: count, possible: count };
}
