import type { Step } from '../agent/run.ts';

/** One line of a trace printed as a tree: data, so that terminal, HTML and JSON show the same. */
export interface TreeRow {
  readonly traceId: string;
  /** `null` for a row that stands for spans folded away. */
  readonly spanId: string | null;
  /** Levels above it that are shown: 0 for a root and for an orphan. */
  readonly depth: number;
  /** No row of the same depth and parent follows. */
  readonly last: boolean;
  /** As a report may show it; for a folded row, how many spans it stands for. */
  readonly name: string;
  /** After the first start in its trace; absent for a folded row, and in deterministic output. */
  readonly startMs?: number;
  /** Absent where the span has no end, and in deterministic output. */
  readonly durationMs?: number;
  /** What the span stands for in the run; absent where it stands for no step. */
  readonly step?: Step['kind'];
  /** A finding points at it. */
  readonly guilty: boolean;
  /** `ERROR`, `not ended`, `parent 9a01c2… missing`. */
  readonly notes: readonly string[];
}
