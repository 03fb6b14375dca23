import type { SpanReference } from '../trace/span.ts';

/** Typed arguments of a finding: names, ids and counts, never content. */
export type FindingArguments = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** One violation: the app is wrong. */
export interface Finding {
  /** As `execution-trace-joined/orphan-span`. */
  readonly code: string;
  readonly arguments: FindingArguments;
  /** The guilty spans, in tree order. */
  readonly spans: readonly SpanReference[];
  /** What should have held, one clause. */
  readonly expected: string;
  /** What was there, one clause. */
  readonly observed: string;
  /** What came close and what differed in it. */
  readonly nearMisses?: readonly { readonly span: SpanReference | null; readonly difference: string }[];
}

/** Evidence that an inconclusive verdict lacked, and what would decide it. */
export interface MissingEvidence {
  /** `completeness`, `visibility`, `content`, `boundary`, `nothing-examined`, `stamp`, `projection`, `statistics`. */
  readonly kind: string;
  readonly message: string;
}

/** Passed, failed or inconclusive; never without the number of spans it rests on. */
export interface Verdict {
  readonly status: 'passed' | 'failed' | 'inconclusive';
  /** Spans examined. */
  readonly examined: number;
  readonly findings: readonly Finding[];
  readonly missing: readonly MissingEvidence[];
  /** True things worth saying that decide nothing. */
  readonly remarks: readonly string[];
  /** What reports count by: the label of a faulted run, say. Names and numbers, no content. */
  readonly facts?: FindingArguments;
}
