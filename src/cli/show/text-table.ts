import { fitText, padText, widestText } from '../../report/text-width.ts';

/** Rows under a heading, columns as wide as they need; the widest one is cut where the line would be too long. */
export function textTable(heading: readonly string[], rows: readonly (readonly string[])[], columns: number): string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, i) => widestText(all.map((row) => row[i] ?? '')));
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  const widest = widths.indexOf(Math.max(...widths));
  widths[widest] = Math.max(10, (widths[widest] ?? 0) - Math.max(0, total - columns));
  return all.map((row) =>
    row
      .map((cell, i) => padText(fitText(cell, widths[i] ?? 0), widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
