/**
 * The candidate that a misspelt name most likely meant, or `undefined` when none is near (more than a third of the
 * letters differ). Ties go to the first candidate.
 *
 * @example
 * nearestName('ToolCaled', ['ToolCalled', 'ToolOrder']); // 'ToolCalled'
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const distance = editDistance(plain(name), plain(candidate));
    if (distance <= limit && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Case and separators are not what people mean when they misspell. */
function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[-_. ]/g, '');
}

/** Optimal string alignment: insert, delete, replace, swap two neighbours; each costs 1. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (beforeLast[j - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
