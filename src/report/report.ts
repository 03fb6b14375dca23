import type { CompletenessState } from '../trace/completeness.ts';
import type { SpanReference } from '../trace/span.ts';
import type { SourceKind } from '../trace/trace-set.ts';
import type { FindingArguments, MissingEvidence } from '../verdict/verdict.ts';
import type { TreeRow } from './tree-row.ts';

/** What came of a check, of a scenario, of a trial or of an assertion. */
export type Status = 'passed' | 'failed' | 'inconclusive' | 'error' | 'unavailable' | 'notApplicable';

/**
 * The report of one check, `otel-eval/report/v1`: plain data, no content. Every format is made from it alone. Key order
 * is that of the schema; fields that `--deterministic` leaves out are optional.
 */
export interface Report {
  readonly schema: 'otel-eval/report/v1';
  /** Of otel-eval. */
  readonly version: string;
  readonly suite: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt?: string;
  readonly durationMs?: number;
  readonly status: Status;
  readonly exitCode: number;
  readonly source: ReportSource;
  /** Scenarios by status. */
  readonly summary: Readonly<Record<Status, number>>;
  readonly applicability: readonly PackApplicability[];
  readonly scenarios: readonly ScenarioReport[];
  /** Of `-- COMMAND`; `null` where it was ended by a signal. */
  readonly childExitCode?: number | null;
  /** Why nothing, or not everything, could be looked at. */
  readonly error?: ReportError;
}

export interface ReportError {
  readonly code: string;
  readonly message: string;
}

export interface ReportSource {
  readonly kind: SourceKind;
  /** Without credentials. */
  readonly address: string;
  /** Judged traces by state. */
  readonly completeness: Readonly<Partial<Record<CompletenessState, number>>>;
  readonly fetched: Counts;
  /** What no scenario judged. */
  readonly unselected: Counts;
  /** The first few of them by name, for mention. */
  readonly unselectedTraces: readonly { readonly traceId: string; readonly topSpanNames: readonly string[] }[];
  /** `settled`: the user said that this is enough on a remote source. */
  readonly accepted: 'proven' | 'settled';
  /** Things in the input that could not be read as they should. */
  readonly problems: { readonly count: number; readonly first: readonly InputRemark[] };
}

export interface InputRemark {
  readonly input: string;
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

interface Counts {
  readonly traces: number;
  readonly spans: number;
}

export interface PackApplicability {
  readonly pack: string;
  readonly state: 'applicable' | 'notApplicable' | 'failedProof';
  readonly missing: readonly string[];
}

export interface ScenarioReport {
  readonly name: string;
  readonly status: Status;
  readonly tags: readonly string[];
  readonly trials: readonly TrialReport[];
  /** Why a scenario without trials is not passed. */
  readonly missing: readonly MissingEvidence[];
}

export interface TrialReport {
  /** From 1. */
  readonly index: number;
  readonly seed: number | null;
  readonly status: Status;
  readonly traceIds: readonly string[];
  readonly runId: string | null;
  /** From the first start to the last end of its spans. */
  readonly durationMs?: number;
  readonly steps: readonly { readonly name: string; readonly status: Status }[];
  readonly assertions: readonly AssertionReport[];
  /** `file, 4 spans, proven: the receipt says 4`. */
  readonly evidence: string;
  /** Command line that judges this trial again. */
  readonly rerun: string | null;
  /** The part of its traces that matters; empty for a passed trial. */
  readonly tree: readonly TreeRow[];
}

export interface AssertionReport {
  readonly name: string;
  /** True only for status `passed`. */
  readonly passed: boolean;
  readonly status: Status;
  /** Spans examined. */
  readonly examined: number;
  readonly findings: readonly FindingReport[];
  /** Evidence that an inconclusive verdict lacked. */
  readonly missing: readonly MissingEvidence[];
  readonly remarks: readonly string[];
}

export interface FindingReport {
  readonly code: string;
  /** `expected …, observed …`. */
  readonly message: string;
  readonly arguments: FindingArguments;
  readonly spans: readonly SpanReference[];
  readonly expected: string;
  readonly observed: string;
  readonly nearMisses: readonly { readonly span: SpanReference | null; readonly difference: string }[];
}
