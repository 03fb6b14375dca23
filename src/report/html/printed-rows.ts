import type { TreeRow } from '../tree-row.ts';

/** A longer waterfall is printed in part. */
const mostPrinted = 120;

/** Which rows stand on paper: all of a short trace; of a long one the guilty ones with what is above and beside them. */
export function printedRows(rows: readonly TreeRow[]): ReadonlySet<number> {
  if (rows.length <= mostPrinted) return new Set(rows.keys());
  const printed = new Set<number>();
  const above: number[] = [];
  for (const [at, { depth, guilty }] of rows.entries()) {
    above[depth] = at;
    if (!guilty || printed.size >= mostPrinted) continue;
    for (const each of [...above.slice(0, depth + 1), at - 1, at + 1])
      if (each >= 0 && each < rows.length) printed.add(each);
  }
  for (let at = 0; at < rows.length && printed.size < mostPrinted / 2; at += 1) printed.add(at);
  return printed;
}
