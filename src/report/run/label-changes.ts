import { invalidities, recoveryLabels } from '../../faults/recovery/classification.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Report } from '../report.ts';
import { type LabelEvidence, labelEvidence } from './label-evidence.ts';

/** How many faulted trials bear a word, in each of two reports. */
export interface WordCount {
  readonly word: string;
  readonly before: number;
  readonly after: number;
}

export interface LabelMove {
  readonly from: string;
  readonly to: string;
  readonly trials: number;
}

export interface LabelChanges {
  readonly plan: string;
  /** The four labels. Where one rises, others fall: they are read together. */
  readonly labels: readonly WordCount[];
  /** Trials that say nothing of the agent, by state, and those undecided or untold: they stand beside the labels. */
  readonly outside: readonly WordCount[];
  /** From one label to another: trials, by row and number. */
  readonly moves: readonly LabelMove[];
  /** Into, out of and among the states outside of the labels: the evidence changed, not the agent. */
  readonly validityMoves: readonly LabelMove[];
  /** Rows in which anything moved, as `task#row`. */
  readonly rows: readonly { readonly scenario: string; readonly moves: readonly LabelMove[] }[];
  /** Trials that only one of the reports has. */
  readonly unpaired: number;
  readonly evidence: LabelEvidence;
}

/**
 * What became of the same faulted trials in two reports. Counts belong to their plan: reports of two plans are not
 * compared, which is a usage error.
 */
export function labelChanges(before: Report, after: Report): LabelChanges {
  const plan = before.resilience?.plan;
  if (plan === undefined || plan !== after.resilience?.plan) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected two reports of one fault plan, got different plans', {
      hint: 'labels are counts of a plan first: run the same one again',
    });
  }
  const [first, second] = [wordsOf(before), wordsOf(after)];
  const pairs = [...first].flatMap(([key, { row, word: from }]) => {
    const to = second.get(key)?.word;
    return to === undefined ? [] : [{ row, from, to }];
  });
  const moved = pairs.filter(({ from, to }) => from !== to);
  const among = moved.filter(({ from, to }) => isLabel(from) && isLabel(to));
  const count = (word: string): WordCount => ({ word, before: countOf(first, word), after: countOf(second, word) });
  return {
    plan,
    labels: recoveryLabels.map(count),
    outside: [...invalidities, 'undecided', 'untold'].map(count).filter((each) => each.before + each.after > 0),
    moves: counted(among),
    validityMoves: counted(moved.filter((move) => !among.includes(move))),
    rows: [...new Set(moved.map(({ row }) => row))].map((scenario) => ({
      scenario,
      moves: counted(moved.filter(({ row }) => row === scenario)),
    })),
    unpaired: first.size + second.size - 2 * pairs.length,
    evidence: labelEvidence(pairs.filter(({ from, to }) => isLabel(from) && isLabel(to))),
  };
}

interface TrialWord {
  readonly row: string;
  readonly word: string;
}

/** Label, or the state of a trial without one, by row and number. */
function wordsOf({ scenarios }: Report): ReadonlyMap<string, TrialWord> {
  const found = new Map<string, TrialWord>();
  for (const { name, faulted, trials } of scenarios) {
    if (faulted === undefined) continue;
    for (const { index, assertions } of trials) {
      const facts = assertions.find((assertion) => assertion.name === 'RecoveryClassified')?.facts;
      const word = facts?.['label'] ?? facts?.['status'];
      found.set(`${name} ${index}`, { row: name, word: typeof word === 'string' ? word : 'untold' });
    }
  }
  return found;
}

function isLabel(word: string): boolean {
  return (recoveryLabels as readonly string[]).includes(word);
}

function countOf(words: ReadonlyMap<string, TrialWord>, word: string): number {
  return [...words.values()].filter((each) => each.word === word).length;
}

function counted(moves: readonly { readonly from: string; readonly to: string }[]): LabelMove[] {
  const kinds = new Map<string, LabelMove>();
  for (const { from, to } of moves) {
    const key = `${from} ${to}`;
    kinds.set(key, { from, to, trials: (kinds.get(key)?.trials ?? 0) + 1 });
  }
  return [...kinds.values()].sort(
    (a, b) => b.trials - a.trials || (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1),
  );
}
