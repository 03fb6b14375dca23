import type { LabelChanges, LabelMove, WordCount } from '../../report/run/label-changes.ts';
import type { LabelEvidence } from '../../report/run/label-evidence.ts';
import { textTable } from '../show/text-table.ts';
import type { ReportDifference } from './report-difference.ts';

/** Two reports as people compare them: scenarios, then labels with the validity of the evidence beside them. */
export function reportDifferenceText({ scenarios, recovery, remarks }: ReportDifference, columns: number): string {
  const changed = scenarios.map(({ scenario, before, after }) => [scenario, before, after]);
  const blocks = [
    changed.length === 0
      ? ['no scenario changed']
      : textTable(['scenario', 'before', 'after'], changed, { columns, cut: 0 }),
    ...(recovery === null ? [] : recoveryBlocks(recovery, columns)),
    remarks.map((remark) => `also different: ${remark}`),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function recoveryBlocks(changes: LabelChanges, columns: number): string[][] {
  const { plan, labels, outside, rows, unpaired, evidence } = changes;
  const counts = [...labels, ...outside].map(({ word, before, after }) => [
    word,
    String(before),
    String(after),
    signed(after - before),
    changeOf(word, evidence),
  ]);
  const heading = ['label', 'before', 'after', '', 'share, mean of rows (95 %)'];
  return [
    [`faulted trials, fault plan ${plan.slice(0, 15)}…`, ...textTable(heading, counts, { columns, cut: 4 })],
    rows.length === 0
      ? ['no faulted trial changed']
      : rows.map(({ scenario, moves }) => `${scenario}   ${moves.map(moveText).join(', ')}`),
    [
      ...validityLines(outside),
      ...(unpaired === 0 ? [] : [`${unpaired} trials are in one of the reports only`]),
      ...(evidence.p === null ? [] : [`labels before and after, Stuart–Maxwell: p = ${evidence.p}`]),
    ],
  ];
}

function validityLines(outside: readonly WordCount[]): string[] {
  const sum = (key: 'before' | 'after'): number => outside.reduce((total, each) => total + each[key], 0);
  const [before, after] = [sum('before'), sum('after')];
  if (before === after) return [];
  return [`trials outside of the labels: ${before} before, ${after} after: compare labels with care`];
}

function moveText({ from, to, trials }: LabelMove): string {
  return `${trials} ${from} → ${to}`;
}

function changeOf(word: string, { changes }: LabelEvidence): string {
  const found = changes.find(({ label }) => label === word);
  if (found === undefined) return '';
  const { change, lower, upper } = found;
  const interval = lower === null || upper === null ? 'too few rows' : `${points(lower)} to ${points(upper)}`;
  return `${points(change)} (${interval})`;
}

function points(share: number): string {
  return `${signed(Math.round(share * 100))} %`;
}

function signed(value: number): string {
  if (value === 0) return '±0';
  return value > 0 ? `+${value}` : `−${-value}`;
}
