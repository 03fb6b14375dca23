import { durationText } from './duration-text.ts';
import type { Palette } from './palette.ts';
import { fitText, padText, widestText } from './text-width.ts';
import type { TreeRow } from './tree-row.ts';
import { visibleText } from './visible-text.ts';

export interface TreeLinesOptions {
  readonly columns: number;
  readonly palette: Palette;
  /** Blanks in front of every line. */
  readonly indent: number;
}

/** Deeper than this the branches stay where they are, so that the names stay on the page. */
const deepest = 16;
const narrowestName = 12;

/** Rows as text: branches, name, duration, notes; guilty rows are marked in the margin. */
export function treeLines(rows: readonly TreeRow[], { columns, palette, indent }: TreeLinesOptions): string[] {
  const branches = branchesOf(rows);
  const labels = rows.map((row, i) => `${branches[i] ?? ''}${visibleText(row.name)}`);
  const times = rows.map(({ durationMs }) => (durationMs === undefined ? '' : durationText(durationMs)));
  const notes = rows.map((row) => visibleText(row.notes.join(', ')));
  const noteWidth = widestText(notes);
  const room = columns - indent - 2 - (noteWidth === 0 ? 0 : noteWidth + 2);
  // Where both do not fit, a name says more than a duration.
  const timeWidth = room - widestText(times) - 2 < narrowestName ? 0 : widestText(times);
  const widest = widestText(labels);
  const labelWidth = Math.min(widest, Math.max(narrowestName, room - (timeWidth === 0 ? 0 : timeWidth + 2)));
  return rows.map((row, i) => {
    const mark = row.guilty ? palette.bad('✗ ') : '  ';
    const label = padText(fitText(labels[i] ?? '', labelWidth), labelWidth);
    const time = timeWidth === 0 ? '' : `  ${(times[i] ?? '').padStart(timeWidth)}`;
    const note = notes[i] === '' ? '' : `  ${notes[i]}`;
    const text = row.guilty ? palette.bad(label) : row.spanId === null ? palette.dim(label) : label;
    return `${' '.repeat(indent)}${mark}${text}${palette.dim(time)}${row.guilty ? palette.bad(note) : note}`.trimEnd();
  });
}

/** `│  ├─ ` for each row. */
function branchesOf(rows: readonly TreeRow[]): string[] {
  const open: boolean[] = [];
  return rows.map(({ depth, last }) => {
    open.length = depth;
    let text = '';
    for (let level = Math.max(1, depth - deepest); level < depth; level++) text += open[level] ? '│  ' : '   ';
    open[depth] = !last;
    return depth === 0 ? '' : `${text}${last ? '└─ ' : '├─ '}`;
  });
}
