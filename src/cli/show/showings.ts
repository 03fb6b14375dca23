import { showJson } from './show-json.ts';
import { showRun } from './show-run.ts';
import { showTable } from './show-table.ts';
import { showTree } from './show-tree.ts';
import type { Showing, ShowingOptions } from './showing.ts';

export type ShowingForm = 'run' | 'tree' | 'table' | 'json';

/** The forms of `show`, by the word behind `--as`. */
export const showings: Readonly<Record<ShowingForm, (options: ShowingOptions) => Showing>> = {
  run: showRun,
  tree: showTree,
  table: showTable,
  json: showJson,
};
