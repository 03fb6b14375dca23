import type { TrialPolicy } from '../suite/policy/trial-policy.ts';
import type { CompletenessState } from '../trace/completeness.ts';
import type { SpanReference } from '../trace/span.ts';
import type { SourceKind } from '../trace/trace-set.ts';
import type { FindingArguments, MissingEvidence } from '../verdict/verdict.ts';
import type { FaultedScenario, ResilienceReport } from './resilience-report.ts';
import type { SliceReport } from './slice-report.ts';
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
  /** Of `otel-eval run` with a fault plan: what agents made of it, beside the success rate and never in it. */
  readonly resilience?: ResilienceReport;
  /** Where slices were asked for: pass rate and support by a measure. */
  readonly slices?: readonly SliceReport[];
  /** Of `otel-eval run`: what was planned, by fingerprint. */
  readonly plan?: ReportPlan;
  /** Of `-- COMMAND`; `null` where it was ended by a signal. */
  readonly childExitCode?: number | null;
  /** Why nothing, or not everything, could be looked at. */
  readonly error?: ReportError;
}

/** What tells whether two reports may be compared, and how a report came about. */
export interface ReportPlan {
  /** Of scenarios, steps, assertions, policies and target; not of how often they ran. */
  readonly hash: string;
  /** Of the inputs alone. */
  readonly corpus: string;
  readonly profile: string | null;
  readonly seed: number;
  /** Names of all planned scenarios, in order; a shard may hold only some. */
  readonly scenarios: readonly string[];
  readonly target: { readonly kind: string; readonly label: string };
  /** As the traces name them, sorted. */
  readonly models: readonly string[];
  /** What was tested, where it was given. */
  readonly artifact: { readonly name: string; readonly sha256: string } | null;
  readonly shard: { readonly index: number; readonly count: number } | null;
  /** What this run can say of an agent: a scripted model shows the harness at work; one live trial each is exploratory. */
  readonly evidenceLevel: 'scripted_model' | 'live_n1' | 'live_n';
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
  /** Why a scenario is not passed, beyond what its trials say. */
  readonly missing: readonly MissingEvidence[];
  /** Of `otel-eval run`: trials that were planned in all shards; those that did not run count as not passed. */
  readonly planned?: number;
  /** What the trials must show together, in words. */
  readonly policy?: string;
  /** The model answers by a script: see `plan.evidenceLevel`. */
  readonly scripted?: boolean;
  /** The policy as data, for `merge`. */
  readonly rule?: TrialPolicy;
  /** Assertions that every trial must pass, whatever the policy lets through. */
  readonly everyTrial?: readonly string[];
  /** Of a scenario that a fault plan has made: it stands outside of `summary`. */
  readonly faulted?: FaultedScenario;
  readonly rate?: ScenarioRate;
}

/** Pass rate with its two-sided 95 % interval (Wilson), for display. */
export interface ScenarioRate {
  readonly passed: number;
  readonly of: number;
  readonly lower: number;
  readonly upper: number;
  /** Of live trials that all passed: a failure of a smaller rate would rather have stayed unseen (95 %). */
  readonly unseenBelow?: number;
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
  /** Numbers of the run: `toolCalls`, `inputTokens` …; `null` where the trace does not tell. */
  readonly measures?: Readonly<Record<string, number | null>>;
  /** Of `otel-eval run`, for a trial that did not pass. */
  readonly diagnosis?: Diagnosis;
  /** Of `otel-eval run`: what tells that this trial is one of its own. */
  readonly proof?: TrialProof;
}

/** What usually lies behind such a result, and where to look next. A hint, not a verdict. */
export interface Diagnosis {
  readonly likely: string;
  readonly next: string;
}

export interface TrialProof {
  /** Ids that model servers gave to their answers. */
  readonly responseIds: readonly string[];
  readonly models: readonly string[];
  readonly completeness: readonly CompletenessState[];
  readonly spans: number;
  /** Traces that came in meanwhile and are not known to be of this trial. */
  readonly strays: number;
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
  /** What reports count by: the label of a faulted run. */
  readonly facts?: FindingArguments;
  /** Said by a semantic judge: it may be said otherwise next time. */
  readonly nondeterministic?: true;
  /** Stands beside the verdict and does not count in it. */
  readonly advisory?: true;
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
