import { type EndRow, type EventRow, isEnd, type ProjectionKind, type ProjectionRow } from './projection-row.ts';

/** What one projection holds of one run. */
export interface RunRows {
  readonly kind: ProjectionKind;
  /** In the order of the projection. */
  readonly events: readonly EventRow[];
  /** One, unless the projection was cut off (none) or ends twice. */
  readonly ends: readonly EndRow[];
}

/** Looks up the rows of one projection; made once for all runs. */
export class RowIndex {
  readonly #byRun = new Map<string, ProjectionRow[]>();
  readonly #bySpan = new Map<string, EventRow[]>();
  readonly #turnsByGroup = new Map<string, Set<string>>();

  private constructor(rows: readonly ProjectionRow[]) {
    for (const row of rows) {
      push(this.#byRun, row.runId, row);
      if (isEnd(row)) continue;
      if (row.spanId !== undefined) push(this.#bySpan, row.spanId, row);
      if (row.group === undefined) continue;
      const turns = this.#turnsByGroup.get(row.group) ?? new Set();
      this.#turnsByGroup.set(row.group, turns.add(JSON.stringify([row.runId, row.turn])));
    }
  }

  static readonly #made = new WeakMap<readonly ProjectionRow[], RowIndex>();

  static of(rows: readonly ProjectionRow[]): RowIndex {
    const known = RowIndex.#made.get(rows);
    if (known !== undefined) return known;
    const index = new RowIndex(rows);
    RowIndex.#made.set(rows, index);
    return index;
  }

  ofRun(kind: ProjectionKind, runId: string): RunRows {
    const own = this.#byRun.get(runId) ?? [];
    return { kind, events: own.filter((row): row is EventRow => !isEnd(row)), ends: own.filter(isEnd) };
  }

  /** Rows that name this span, of whichever run. */
  ofSpan(spanId: string): readonly EventRow[] {
    return this.#bySpan.get(spanId) ?? [];
  }

  /** How many turns, of whichever run, stand in this group. */
  turnsIn(group: string): number {
    return this.#turnsByGroup.get(group)?.size ?? 0;
  }
}

function push<Row>(map: Map<string, Row[]>, key: string, row: Row): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [row]);
  else list.push(row);
}
