import type { Run } from '../agent/run.ts';
import { createRunReader } from '../agent/run-reader.ts';
import { isSelected } from '../suite/run-selection.ts';
import type { Collection } from '../trace/trace-set.ts';
import type { SourceSettings } from './source-settings.ts';

/** Hands over the runs that were selected, one after the other; tells how many there were. */
export async function eachRun(
  collection: Collection,
  { oneRun, instrumented, selection }: SourceSettings,
  take: (run: Run) => void,
): Promise<number> {
  const reader = createRunReader({ oneRun, instrumented });
  let count = 0;
  const add = (runs: readonly Run[]): void => {
    for (const run of runs) {
      if (!isSelected(run, selection)) continue;
      count += 1;
      take(run);
    }
  };
  for await (const group of collection.groups()) add(reader.add(group));
  add(reader.end());
  return count;
}
