import { fisher } from '../../statistics/fisher.ts';
import { holm } from '../../statistics/holm.ts';
import { wilson } from '../../statistics/wilson.ts';
import { firstRequest } from './first-request.ts';
import { type Core227Subject, type RunTrialOptions, runCore227Trial, type TrialOutcome227 } from './run-trial.ts';

/** Trials with one wording of the error. */
export interface SweepLevel {
  readonly wording: string;
  readonly judged: number;
  readonly passed: number;
  /** Wilson, 95 %. */
  readonly lower: number;
  readonly upper: number;
  /** Median of the model calls of judged trials; `null` where there is none. */
  readonly medianModelCalls: number | null;
}

export interface SweepComparison {
  readonly from: string;
  readonly to: string;
  /** Fisher's exact test of the shares that passed, by Holm for all comparisons together. */
  readonly p: number;
}

export interface WordingSweep {
  readonly levels: readonly SweepLevel[];
  readonly comparisons: readonly SweepComparison[];
  /**
   * `causal`: only the wording differed, and it made a difference. `no_difference_shown`: only the wording differed, and so many
   * trials show no effect of it, which is no proof that there is none. `not_controlled`: something else differed, or cannot be told.
   */
  readonly claim: 'causal' | 'no_difference_shown' | 'exploratory' | 'not_controlled';
  readonly why: string;
}

export interface WordingSweepOptions extends Omit<RunTrialOptions, 'errorMessage'> {
  /** What the failing read says, by a name for it; two or more. */
  readonly wordings: Readonly<Record<string, string>>;
  /** Of each wording. */
  readonly trials: number;
  /** Default 0.05. */
  readonly alpha?: number | undefined;
}

/**
 * Controlled trials that vary the wording of one error and nothing else: the wordings take turns, and the first requests in the
 * traces must all be equal. Only so may a difference be laid to the wording.
 *
 * @example
 * const { claim, levels } = await sweepWordings(subject, {
 *   wordings: { traceback, message: 'bad status', mapped: '{"code":"invalid_status"}' },
 *   trials: 40, evidenceLevel: 'live_n', approvedBy: 'the owner, 2026-11-30', record,
 * });
 */
export async function sweepWordings<Model>(
  subject: Core227Subject<Model>,
  { wordings, trials, alpha = 0.05, ...options }: WordingSweepOptions,
): Promise<WordingSweep> {
  const names = Object.keys(wordings);
  const outcomes = new Map<string, TrialOutcome227[]>(names.map((name) => [name, []]));
  const requests: (string | null)[] = [];
  const record: RunTrialOptions['record'] = async (work) => {
    const recorded = await options.record(work);
    requests.push(firstRequest(recorded.view.run));
    return recorded;
  };
  for (let trial = 0; trial < trials; trial += 1) {
    for (const name of rotated(names, trial)) {
      const errorMessage = wordings[name];
      outcomes.get(name)?.push(await runCore227Trial(subject, { ...options, errorMessage, record }));
    }
  }
  const levels = names.map((name) => levelOf(name, outcomes.get(name) ?? []));
  const comparisons = compared(levels);
  return { levels, comparisons, ...claimOf({ levels, comparisons, requests, alpha }) };
}

/** Each wording is as often first: what drifts meanwhile hits all alike. */
function rotated(names: readonly string[], by: number): readonly string[] {
  const at = names.length === 0 ? 0 : by % names.length;
  return [...names.slice(at), ...names.slice(0, at)];
}

function levelOf(wording: string, outcomes: readonly TrialOutcome227[]): SweepLevel {
  const reports = outcomes.flatMap((outcome) => (outcome.status === 'judged' ? [outcome.report] : []));
  const passed = reports.filter((report) => report.passed).length;
  const { lower, upper } = wilson(passed, reports.length);
  const calls = reports.map(({ modelCalls }) => modelCalls).sort((a, b) => a - b);
  const medianModelCalls = calls[Math.ceil(calls.length / 2) - 1] ?? null;
  return { wording, judged: reports.length, passed, lower, upper, medianModelCalls };
}

function compared(levels: readonly SweepLevel[]): SweepComparison[] {
  const pairs = levels.flatMap((from, at) => levels.slice(at + 1).map((to) => ({ from, to })));
  const raw = pairs.map(({ from, to }) =>
    fisher({ successes: from.passed, trials: from.judged }, { successes: to.passed, trials: to.judged }),
  );
  const adjusted = holm(raw);
  return pairs.map(({ from, to }, at) => ({ from: from.wording, to: to.wording, p: adjusted[at] ?? 1 }));
}

interface Evidence {
  readonly levels: readonly SweepLevel[];
  readonly comparisons: readonly SweepComparison[];
  readonly requests: readonly (string | null)[];
  readonly alpha: number;
}

function claimOf({ levels, comparisons, requests, alpha }: Evidence): Pick<WordingSweep, 'claim' | 'why'> {
  if (levels.length < 2 || levels.some(({ judged }) => judged < 2)) {
    return { claim: 'exploratory', why: 'fewer than two wordings, or than two judged trials of one of them' };
  }
  if (requests.includes(null))
    return { claim: 'not_controlled', why: 'the first request of a trial is not in its trace' };
  if (new Set(requests).size > 1) {
    return { claim: 'not_controlled', why: 'the first requests differ: prompts, tools or settings are not the same' };
  }
  const best = Math.min(...comparisons.map(({ p }) => p));
  if (best <= alpha)
    return { claim: 'causal', why: 'the same first request, and only the wording of the error differs' };
  return { claim: 'no_difference_shown', why: 'so many trials show no effect of the wording; it may have one' };
}
