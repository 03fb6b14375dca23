import { recoveryLabels } from '../../faults/recovery/classification.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Report } from '../report.ts';

export interface LabelChanges {
  readonly plan: string;
  /** Change of each label; together they are zero where both reports have as many labelled runs. */
  readonly differences: Readonly<Record<string, number>>;
  /** `clean_abort → failed`: how many trials, by row and number. */
  readonly moves: readonly { readonly from: string; readonly to: string; readonly trials: number }[];
  /** Rows in which anything moved. */
  readonly rows: readonly string[];
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
  const first = labelsOf(before);
  const second = labelsOf(after);
  const moved = [...first].flatMap(([key, from]) => {
    const to = second.get(key);
    return to === undefined || to === from ? [] : [{ from, to, row: key.slice(0, key.lastIndexOf('#')) }];
  });
  const kinds = [...new Set(moved.map(({ from, to }) => `${from} ${to}`))].sort();
  return {
    plan,
    differences: Object.fromEntries(recoveryLabels.map((label) => [label, count(second, label) - count(first, label)])),
    moves: kinds.map((kind) => {
      const [from = '', to = ''] = kind.split(' ');
      return { from, to, trials: moved.filter((move) => move.from === from && move.to === to).length };
    }),
    rows: [...new Set(moved.map(({ row }) => row))],
  };
}

function labelsOf({ scenarios }: Report): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, faulted, trials } of scenarios) {
    if (faulted === undefined) continue;
    for (const { index, assertions } of trials) {
      const facts = assertions.find((assertion) => assertion.name === 'RecoveryClassified')?.facts;
      const word = facts?.['label'] ?? facts?.['status'];
      if (typeof word === 'string') found.set(`${name}#${index}`, word);
    }
  }
  return found;
}

function count(labels: ReadonlyMap<string, string>, label: string): number {
  return [...labels.values()].filter((each) => each === label).length;
}
