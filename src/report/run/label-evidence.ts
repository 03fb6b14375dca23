import { type RecoveryLabel, recoveryLabels } from '../../faults/recovery/classification.ts';
import { mean } from '../../statistics/mean.ts';
import { seededRandom } from '../../statistics/random.ts';
import { simultaneousIntervals } from '../../statistics/simultaneous-intervals.ts';
import { stuartMaxwell } from '../../statistics/stuart-maxwell.ts';

/** One trial that has a label in both reports. */
export interface LabelPair {
  readonly row: string;
  readonly from: string;
  readonly to: string;
}

/** What the changes of labels are worth: rows are the units, since trials of one row are alike. */
export interface LabelEvidence {
  readonly rows: number;
  readonly pairs: number;
  /** Of the share of each label, as the mean over rows; the intervals (95 %) hold together, and are `null` where rows are too few. */
  readonly changes: readonly {
    readonly label: RecoveryLabel;
    readonly change: number;
    readonly lower: number | null;
    readonly upper: number | null;
  }[];
  /** Stuart–Maxwell, where each row has one trial and enough of them changed; else `null`. */
  readonly p: number | null;
}

/** Of an asymptotic test: with fewer changed pairs its p says nothing. */
const fewestChanged = 10;
/** Over fewer rows an interval over rows is not to be trusted. */
const fewestRows = 20;
const seed = 41;

export function labelEvidence(pairs: readonly LabelPair[]): LabelEvidence {
  const rows = [...new Set(pairs.map(({ row }) => row))];
  const clusters = rows.map((row) => {
    const own = pairs.filter((pair) => pair.row === row);
    return recoveryLabels.map((label) => shareOf(own, 'to', label) - shareOf(own, 'from', label));
  });
  const intervals = rows.length < fewestRows ? null : simultaneousIntervals(clusters, { random: seededRandom(seed) });
  return {
    rows: rows.length,
    pairs: pairs.length,
    changes: recoveryLabels.map((label, at) => ({
      label,
      change: rows.length === 0 ? 0 : rounded(mean(clusters.map((cluster) => cluster[at] ?? 0))),
      lower: finite(intervals?.[at]?.lower),
      upper: finite(intervals?.[at]?.upper),
    })),
    p: rows.length === pairs.length ? marginalP(pairs) : null,
  };
}

function marginalP(pairs: readonly LabelPair[]): number | null {
  if (pairs.filter(({ from, to }) => from !== to).length < fewestChanged) return null;
  const count = (from: string, to: string): number =>
    pairs.filter((pair) => pair.from === from && pair.to === to).length;
  return rounded(stuartMaxwell(recoveryLabels.map((from) => recoveryLabels.map((to) => count(from, to)))).p);
}

function shareOf(pairs: readonly LabelPair[], key: 'from' | 'to', label: string): number {
  return pairs.filter((pair) => pair[key] === label).length / pairs.length;
}

/** An infinite bound says nothing. */
function finite(bound: number | undefined): number | null {
  return bound === undefined || !Number.isFinite(bound) ? null : rounded(bound);
}

function rounded(value: number): number {
  return Number(value.toFixed(4)) + 0;
}
