import type { Span } from '../../src/trace/span.ts';
import { spanKeys } from './span-key.ts';

/**
 * All spans that any poll has shown of one trace. A smaller answer, or none, never shrinks it: real servers show fifteen
 * spans, then none, then fifteen again. Rows that repeat inside one answer stay as they came, so that conflicts are
 * seen; across answers the newest rows of a span count.
 */
export class SpanUnion {
  #rows: readonly Span[] = [];
  /** Of the rows, in their order; made when a second answer comes, which most traces do not need. */
  #knownKeys: readonly string[] | undefined;

  get #keys(): readonly string[] {
    this.#knownKeys ??= spanKeys(this.#rows);
    return this.#knownKeys;
  }

  /** Spans known so far, repeats included. */
  get rows(): readonly Span[] {
    return this.#rows;
  }

  /** Takes an answer in: whether it showed a span that was not known, and whether it held all that are. */
  take(rows: readonly Span[]): { readonly grew: boolean; readonly whole: boolean } {
    if (this.#rows.length === 0) {
      this.#rows = rows;
      this.#knownKeys = undefined;
      return { grew: rows.length > 0, whole: true };
    }
    const keys = spanKeys(rows);
    const here = new Set(keys);
    const known = new Set(this.#keys);
    const grew = keys.some((key) => !known.has(key));
    const whole = this.#keys.every((key) => here.has(key));
    if (whole) {
      this.#rows = rows;
      this.#knownKeys = keys;
      return { grew, whole };
    }
    const ids = madeUpIds(keys, rows, this.#keys, this.#rows);
    const missing = this.#keys.flatMap((key, i) => (here.has(key) ? [] : [{ key, row: this.#rows[i] as Span }]));
    this.#knownKeys = [...missing.map(({ key }) => key), ...keys];
    this.#rows = [...missing.map(({ row }) => withParent(row, ids)), ...rows];
    return { grew, whole };
  }
}

/** Old made-up ids whose span has another one in the newest answer. */
function madeUpIds(
  newKeys: readonly string[],
  newRows: readonly Span[],
  oldKeys: readonly string[],
  oldRows: readonly Span[],
): Map<string, string> {
  const newIds = new Map(newKeys.map((key, i) => [key, newRows[i]?.spanId ?? '']));
  const changed = new Map<string, string>();
  oldKeys.forEach((key, i) => {
    const before = oldRows[i]?.spanId ?? '';
    const now = newIds.get(key);
    if (now !== undefined && now !== before) changed.set(before, now);
  });
  return changed;
}

function withParent(row: Span, ids: ReadonlyMap<string, string>): Span {
  const parentSpanId = row.parentSpanId === undefined ? undefined : ids.get(row.parentSpanId);
  return parentSpanId === undefined ? row : { ...row, parentSpanId };
}
