import type { FaultsDocument } from './faults/faults-document.ts';
import type { JudgeDocument, PackDocument, StepDocument, TargetDocument, TrialsDocument } from './run/run-document.ts';
import type { RunSelection } from './run-selection.ts';

/**
 * An assertion as people write it: its name, or its name with parameters. What a factory returns
 * (`toolCalled({ … })`) has this shape too.
 */
export type AssertionDocument = string | { readonly [name: string]: unknown };

/** Files of each projection: what was streamed, what was stored, what an interface shows. */
export interface ProjectionsDocument {
  readonly live?: string | readonly string[] | undefined;
  readonly durable?: string | readonly string[] | undefined;
  readonly ui?: string | readonly string[] | undefined;
}

/** Where the traces are: defaults of the flags of the same names. Relative paths start at the suite. */
export interface TracesDocument {
  readonly source?: 'memory' | 'file' | 'otlp' | 'tempo' | 'jaeger' | undefined;
  readonly input?: string | readonly string[] | undefined;
  readonly traceId?: string | readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly tenant?: string | undefined;
  readonly service?: string | undefined;
  readonly runId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly query?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit?: number | undefined;
  readonly settle?: string | undefined;
  readonly deadline?: string | undefined;
  readonly completeness?: 'proven' | 'settled' | undefined;
  readonly oneRun?: boolean | undefined;
  readonly instrumented?: string | readonly string[] | undefined;
  /** Files that `otel-eval access --json` wrote: evidence of `TracePrivacyModes`. */
  readonly access?: string | readonly string[] | undefined;
  /** JSON lines of other views of the runs, by kind: evidence of `ExecutionTraceJoined`. */
  readonly projections?: ProjectionsDocument | undefined;
  /** Source `memory`, in TypeScript: finished spans of the SDK, or a function that makes them. */
  readonly spans?: unknown;
}

export interface ScenarioDocument extends TrialsDocument {
  readonly name: string;
  readonly tags?: readonly string[] | undefined;
  readonly select?: RunSelection | undefined;
  readonly root?: 'local' | 'remote' | undefined;
  readonly absentParentOf?: string | readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
  readonly completeness?: 'proven' | 'settled' | undefined;
  readonly runBy?: 'conversation' | undefined;
  readonly oneRun?: boolean | undefined;
  /** For `otel-eval run`: what is asked of the target, in order. */
  readonly steps?: readonly (string | StepDocument)[] | undefined;
  /** The pack that it belongs to. */
  readonly pack?: string | undefined;
  /** Assertions that every trial must pass, whatever the policy lets through. */
  readonly everyTrial?: readonly string[] | undefined;
  /** Names of semantic judges, in TypeScript suites. */
  readonly judges?: readonly string[] | undefined;
  readonly assertions: readonly AssertionDocument[];
}

/** A named set of resources. */
export interface ProfileDocument extends TrialsDocument {
  readonly target?: TargetDocument | undefined;
  readonly traces?: TracesDocument | undefined;
  /** Only scenarios that have all of these. */
  readonly tags?: readonly string[] | undefined;
  readonly concurrency?: number | undefined;
}

/** A suite as people write it: the same in YAML, JSON and TypeScript. */
export interface SuiteDocument extends TrialsDocument {
  readonly schema: 'otel-eval/suite/v1';
  readonly name?: string | undefined;
  readonly traces?: TracesDocument | undefined;
  /** For `otel-eval run`: the agent under test. */
  readonly target?: TargetDocument | undefined;
  /** Named sets of resources. */
  readonly profiles?: Readonly<Record<string, ProfileDocument>> | undefined;
  readonly packs?: readonly PackDocument[] | undefined;
  /** What the target is asked before the trials, so that it tells what it was built with. Default: nothing. */
  readonly probe?: unknown;
  /** Semantic judges by name: functions, in TypeScript suites. */
  readonly judges?: Readonly<Record<string, JudgeDocument>> | undefined;
  /** Fault plan: each row is a scenario of its own in `otel-eval run`. */
  readonly faults?: FaultsDocument | undefined;
  readonly scenarios: readonly ScenarioDocument[];
}
