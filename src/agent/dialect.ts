import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { Reader } from './reading.ts';
import type { Cost, HumanInputKind, Json, Message, Usage } from './run.ts';
import type { Visibility } from './visibility.ts';

/**
 * What a span stands for. `loop`: a span around several model calls and their tools that is no agent; without a span of
 * any of them it stands for all. `phantom`: a span
 * that tells of nothing that happened once more (merged results, an event written as a span).
 */
export type LayerKind =
  | 'agent'
  | 'model'
  | 'tool'
  | 'handoff'
  | 'retrieval'
  | 'memory'
  | 'human-input'
  | 'guardrail'
  | 'loop'
  | 'phantom'
  | 'other';

/** What the dialect knows of a tool span's end beyond status, error.type and exception events. */
export type ToolMark =
  | 'failed'
  | 'succeeded'
  /** The call was not carried out in this span: a person is asked first. */
  | 'waiting'
  /** The tool began and was left by an exception that steers: what it did before nobody says. */
  | 'steered'
  | 'denied'
  | 'not-run'
  /** It began, and of its end nothing is told. */
  | 'untold';

/** What a span can tell of the thing it stands for. */
export interface FactValues {
  readonly run: string;
  readonly conversation: string;
  readonly agent: string;
  readonly toolName: string;
  /** A name that may not be the one the model uses: a class, a path. The model's own word goes before it. */
  readonly toolLabel: string;
  readonly callId: string;
  readonly arguments: Json;
  readonly result: Json;
  readonly toolMark: ToolMark;
  /** The dialect's own mark of a failure on any span, beside status, error.type and exception events. */
  readonly failed: boolean;
  readonly model: string;
  readonly responseId: string;
  readonly finish: string;
  readonly usage: Usage;
  readonly cost: Cost;
  readonly humanInput: HumanInputKind;
  /** The counts may lack tokens that were spent. */
  readonly usageIsShort: boolean;
  readonly inputMessages: readonly Message[];
  readonly outputMessages: readonly Message[];
  readonly handoffFrom: string;
  readonly handoffTo: string;
  readonly documents: readonly string[];
}

/** How each fact is read. What is left out cannot be told by this dialect. */
export type Facts = { readonly [Fact in keyof FactValues]?: Reader<FactValues[Fact]> };

/** What a dialect is asked about its sight: its scope, and all of its spans in the run. */
export interface SightQuestion {
  readonly scope: string;
  readonly version: string | null;
  readonly spans: readonly Span[];
}

/** What one instrumentation of a dialect can show. The table of frameworks is made of these. */
export interface SightRow {
  /** Package and versions, as people call them. */
  readonly of: string;
  /** Only under these scopes. */
  readonly scope?: RegExp;
  /** Only where the scope, its version or the run's spans say so. */
  readonly when?: (question: SightQuestion) => boolean;
  readonly shows: Visibility;
  /** What is missing there, in a few words. */
  readonly note?: string;
}

/**
 * One instrumentation convention. `scopes` decide alone; `keys` decide where no scope does: a span that carries one of
 * them is this dialect's. `names` of spans decide where neither does.
 */
export interface Dialect {
  readonly name: string;
  readonly scopes?: RegExp;
  readonly keys?: readonly string[];
  readonly names?: RegExp;
  /** `undefined`: a plain span. */
  readonly kind: (span: Span, trace: Trace) => LayerKind | undefined;
  readonly facts: Facts;
  /** What its instrumentations can show where nothing in the trace says otherwise: the first row that fits, else nothing. */
  readonly sights: readonly SightRow[];
  /** Generation of the convention, where the scope's version does not tell it. */
  readonly generation?: (span: Span) => string | undefined;
  /** Tools of the framework's own (final answer, structured output): no calls of the app's tools. */
  readonly ownTools?: RegExp;
  /** Usage on an agent's span is the sum over its model calls. */
  readonly agentTotals?: boolean;
  /** A call that waits for a person leaves the same span as one that ran. */
  readonly silentWait?: boolean;
  /** The `error.type` of a call that a person refused, where failures may bear it too. */
  readonly refusal?: RegExp;
  /** Exception types that steer and do not fail, in full as the framework writes them. */
  readonly controlFlow?: RegExp;
}

/** The row that says what this instrumentation can show. */
export function sightRowOf({ sights }: Dialect, question: SightQuestion): SightRow | undefined {
  return sights.find(({ scope, when }) => scope?.test(question.scope) !== false && when?.(question) !== false);
}
