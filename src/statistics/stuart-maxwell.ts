import { requireCounts } from './counts.ts';
import { upperIncompleteGamma } from './incomplete-gamma.ts';

export interface StuartMaxwellResult {
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /** Asymptotic; of use from about ten pairs whose label changed. */
  readonly p: number;
}

/**
 * Stuart–Maxwell test of marginal homogeneity: pairs with one label each before and after (one trial a row). Are the shares
 * of the labels the same, whichever pairs have changed? With two labels it is McNemar's test without its exactness.
 *
 * @param table - `table[before][after]`: pairs, in a square
 * @throws RangeError unless the table is square and holds counts
 * @example
 * stuartMaxwell([[20, 10, 5], [3, 30, 15], [0, 5, 40]]).p;
 */
export function stuartMaxwell(table: readonly (readonly number[])[]): StuartMaxwellResult {
  for (const row of table) {
    if (row.length !== table.length)
      throw new RangeError(`expected a square table, got ${row.length} of ${table.length}`);
    for (const count of row) requireCounts(0, count);
  }
  const cell = (before: number, after: number): number => table[before]?.[after] ?? 0;
  const labels = table.map((_, label) => label);
  const difference = (label: number): number =>
    labels.reduce((sum, other) => sum + cell(label, other) - cell(other, label), 0);
  const covariance = (a: number, b: number): number =>
    a === b
      ? labels.reduce((sum, other) => sum + (other === a ? 0 : cell(a, other) + cell(other, a)), 0)
      : -(cell(a, b) + cell(b, a));
  let chiSquare = 0;
  let degreesOfFreedom = 0;
  // Labels between which no pair moved have no covariance: each such group is a test of its own, less one label, for the
  // differences in it sum to zero.
  for (const group of exchanging(labels, (a, b) => cell(a, b) + cell(b, a) > 0)) {
    const free = group.slice(1);
    const d = free.map(difference);
    const solved = solve(
      free.map((a) => free.map((b) => covariance(a, b))),
      d,
    );
    chiSquare += d.reduce((sum, value, at) => sum + value * (solved[at] ?? 0), 0);
    degreesOfFreedom += free.length;
  }
  const p = degreesOfFreedom === 0 ? 1 : upperIncompleteGamma(degreesOfFreedom / 2, chiSquare / 2);
  return { chiSquare, degreesOfFreedom, p };
}

/** Labels in groups that pairs moved within. */
function exchanging(labels: readonly number[], moved: (a: number, b: number) => boolean): number[][] {
  const left = new Set(labels);
  const groups: number[][] = [];
  for (const first of labels) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const label of group) {
      for (const other of left) if (moved(label, other) && left.delete(other)) group.push(other);
    }
    groups.push(group);
  }
  return groups;
}

/** x of A x = b for a positive definite A, by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let pivot = 0; pivot < size; pivot += 1) {
    for (let row = pivot + 1; row < size; row += 1) {
      const factor = at(row, pivot) / at(pivot, pivot);
      rows[row] = (rows[row] ?? []).map((value, column) => value - factor * at(pivot, column));
    }
  }
  const x = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row -= 1) {
    const known = x.reduce((sum, value, column) => (column > row ? sum + at(row, column) * value : sum), 0);
    x[row] = (at(row, size) - known) / at(row, row);
  }
  return x;
}
