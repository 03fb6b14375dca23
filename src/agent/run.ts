import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { Visibility } from './visibility.ts';

export type Outcome = 'succeeded' | 'failed' | 'ended' | 'denied' | 'notRun' | 'unknown';

/** Which layers of evidence an outcome rests on. */
export type Evidence = 'status' | 'error.type' | 'exception' | 'result' | 'message' | 'stamp';

/** Missing is `null`, never 0. `input` includes `cachedInput`, `output` includes `reasoning`. */
export interface Usage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cachedInput: number | null;
  readonly reasoning: number | null;
}

/** What the trace says that calls cost. Never worked out from a table of prices. */
export interface Cost {
  readonly amount: number;
  /** As the trace names it; `null` where it does not (US dollars, by most conventions). */
  readonly currency: string | null;
}

export type HumanInputKind = 'message' | 'approval' | 'edit';

/** A JSON value read from content; kept out of every report. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A message of a model call, read when asked for and not before. */
export interface Message {
  readonly role: string;
  /** Text parts joined by line breaks; reasoning is not text. */
  readonly text: string;
  readonly toolCalls: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly arguments: Json | undefined;
  }[];
  readonly toolResults: readonly {
    readonly id: string | null;
    readonly name: string | null;
    readonly result: Json | undefined;
    /** The message itself says that the call failed, or that it did not; `undefined` where it says neither. */
    readonly failed: boolean | undefined;
  }[];
  /** What a person decided of calls that waited, where the message tells it. */
  readonly decisions?: readonly { readonly id: string | null; readonly granted: boolean | undefined }[];
}

export interface ModelCall {
  readonly spans: readonly Span[];
  /** Usually 1; `null` when one span stands for an unknown number of calls. */
  readonly calls: number | null;
  readonly model: string | null;
  readonly outcome: Outcome;
  readonly usage: Usage | null;
  readonly cost: Cost | null;
  /** The convention's word: `stop`, `tool_calls`, `length`, `content_filter`, `error`. */
  readonly finish: string | null;
  readonly responseId: string | null;
  /** Name of the agent that made the call, where known. */
  readonly agent: string | null;
  /** Lazy; `undefined` where the trace does not hold them. */
  inputMessages(): readonly Message[] | undefined;
  outputMessages(): readonly Message[] | undefined;
}

/** One logical tool call, however many spans tell of it. */
export interface ToolCall {
  readonly name: string | null;
  readonly callId: string | null;
  readonly agent: string | null;
  /** Ordinal of the logical operation in the run: same tool, same canonical arguments. `null` where unknown. */
  readonly operation: number | null;
  /** 1 for the first try of its operation; `null` where arguments are not visible. */
  readonly attempt: number | null;
  /** Calls of one turn that the model asked for together share a number. */
  readonly parallelGroup: number | null;
  readonly outcome: Outcome;
  readonly evidence: readonly Evidence[];
  /** Empty when no span of its own tells of the call; the first one is the span that best stands for it. */
  readonly spans: readonly Span[];
  /** Where it was read: `gen_ai.tool.name`, `message of 0123456789abcdef`. Keys and ids, no content. */
  readonly readFrom: readonly string[];
  readonly effect: 'read' | 'write' | null;
  /** Start and end of the spans that tell of it; `undefined` where none does. */
  readonly startUnixNano: bigint | undefined;
  readonly endUnixNano: bigint | undefined;
  /** Lazy; `undefined` where the trace does not hold them. Arguments injected by a framework are not arguments. */
  arguments(): Json | undefined;
  result(): Json | undefined;
  /** `otel_eval.tool.arguments_digest` where stamped; else `undefined` (the digest of visible arguments is made by the reader of the report). */
  readonly stampedArgumentsDigest: string | undefined;
  /** `otel_eval.tool.argument_digest.NAME` where stamped. */
  readonly stampedArgumentDigests: ReadonlyMap<string, string>;
}

export interface DialectUse {
  readonly name: string;
  readonly version: string | null;
  readonly scopes: readonly string[];
}

/** What made these traces one run. */
export type Boundary = 'run-id' | 'agent' | 'conversation' | 'user' | 'none';

/** A step of the run in causal order, for order, budgets and display. */
export interface Step {
  readonly kind:
    | 'agent'
    | 'model'
    | 'tool'
    | 'retrieval'
    | 'memory'
    | 'handoff'
    | 'human-input'
    | 'guardrail'
    | 'other';
  /** Tool, agent, model or span name; `null` where not told. */
  readonly name: string | null;
  readonly spans: readonly Span[];
  readonly agent: string | null;
  readonly outcome: Outcome;
  readonly startUnixNano: bigint | undefined;
  readonly endUnixNano: bigint | undefined;
  /** Set for kind `tool`. */
  readonly toolCall?: ToolCall;
  /** Set for kind `model`. */
  readonly modelCall?: ModelCall;
}

export interface Run {
  readonly runId: string | null;
  readonly conversationId: string | null;
  readonly agent: string | null;
  readonly traces: readonly Trace[];
  /** The span at the top, where there is exactly one. */
  readonly rootSpan: Span | null;
  readonly boundary: Boundary;
  readonly dialects: readonly DialectUse[];
  readonly visibility: Visibility;
  /** All of the following stand in causal order. */
  readonly steps: readonly Step[];
  readonly modelCalls: readonly ModelCall[];
  readonly toolCalls: readonly ToolCall[];
  readonly requestedNotRun: readonly { readonly name: string | null; readonly callId: string | null }[];
  readonly handoffs: readonly {
    readonly from: string | null;
    readonly to: string | null;
    readonly spans: readonly Span[];
  }[];
  readonly humanInputs: readonly { readonly kind: HumanInputKind; readonly spans: readonly Span[] }[];
  readonly retrievals: readonly {
    readonly documentIds: readonly string[] | undefined;
    readonly spans: readonly Span[];
  }[];
  readonly usage: Usage & { readonly coverage: 'all' | 'part' | 'none' };
  /** The sum over model calls, where the trace carries what they cost; `part` where some do not tell. */
  readonly cost: (Cost & { readonly coverage: 'all' | 'part' }) | null;
  /** Things a reader should know: `two chat spans share a response id`. No content. */
  readonly remarks: readonly string[];
  /** Scopes that the user vouches for: a span for every model and tool call, failed ones too. */
  readonly instrumented: readonly string[];
}
