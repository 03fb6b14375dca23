import type { ToolSpec } from '../inject/tool-spec.ts';
import type { VirtualClock } from '../inject/virtual-clock.ts';
import type { FaultDocument } from '../plan/fault-document.ts';
import type { FaultKind, Presentation } from '../plan/fault-kind.ts';

/** A call that is to meet a fault: of a tool, or, below the client, of its endpoint. */
export interface FaultCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly spec: ToolSpec;
  readonly clock: VirtualClock;
  readonly signal: AbortSignal | undefined;
  /** Carries the call out, with other arguments where they are given. */
  run(args?: unknown): Promise<unknown>;
  /** Carries it out although the agent is told otherwise: what it changes is written down as hidden. */
  runHidden(): Promise<unknown>;
}

/** What the caller gets instead of the answer, or why the fault cannot be made of this call. */
export type FaultResult =
  | { readonly failure: FaultFailure }
  | { readonly returned: unknown }
  | { readonly inapplicable: string };

/** A failure in terms of both worlds: an error above the client, a response or a broken connection below it. */
export interface FaultFailure {
  /** Class of the error: `TimeoutError`. */
  readonly type: string;
  readonly message: string;
  /** Of the response; `null` where there is none. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
}

/** One kind of fault. Deterministic: same call, same fault, same result. */
export interface Fault<Document extends FaultDocument = FaultDocument> {
  readonly kind: FaultKind;
  readonly presents: Presentation;
  /** Who could notice: the client by its status, a schema by its shape, or only an agent that thinks about the answer. */
  readonly catchableBy: 'client' | 'schema' | 'agent';
  readonly summary: string;
  inject(call: FaultCall, document: Document): Promise<FaultResult>;
}

export type DocumentOf<Kind extends FaultKind> = Extract<FaultDocument, { readonly kind: Kind }>;
