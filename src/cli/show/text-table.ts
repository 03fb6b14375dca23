import { fitText, padText, widestText } from '../../report/text-width.ts';

const narrowest = 16;

export interface TableOptions {
  readonly columns: number;
  /** Which column is cut where the line would be too long. */
  readonly cut: number;
}

/** Rows under a heading, columns as wide as they need. */
export function textTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, cut }: TableOptions,
): string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, i) => widestText(all.map((row) => row[i] ?? '')));
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  const tooMuch = Math.max(0, total - columns);
  const width = widths[cut] ?? 0;
  widths[cut] = Math.max(Math.min(width, narrowest), width - tooMuch);
  return all.map((row) =>
    row
      .map((cell, i) => padText(fitText(cell, widths[i] ?? 0), widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
