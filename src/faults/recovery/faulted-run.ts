import type { FaultKind, InjectionPoint } from '../plan/fault-kind.ts';
import type { FaultEvidenceLevel } from './classification.ts';

/** One call that the model asked for, as far as recovery cares. */
export interface CallFact {
  readonly tool: string;
  /** Equal for two calls with the same tool and arguments; `null` where arguments are not visible. */
  readonly operation: string | null;
  readonly effect: 'read' | 'write' | 'unknown';
  readonly outcome: 'ok' | 'failed' | 'unknown';
  /** `after`: asked for by a model call that had seen the fault. */
  readonly place: 'before' | 'faulted' | 'after';
  /** The call carries an idempotency key. */
  readonly keyed: boolean;
  /** It is about what the faulted call was about. */
  readonly aboutFaulted: 'yes' | 'no' | 'unknown';
  /** The result says that it is the one of an earlier call. */
  readonly replayed: boolean;
  readonly virtualTimeMs: number | null;
}

/** One thing that a tool did, or was refused to do, to the world; kept by the sandbox, not by the agent. */
export interface EffectFact {
  readonly tool: string;
  /** Equal for two effects with the same business key. */
  readonly identity: number;
  readonly state: 'committed' | 'rejected' | 'undone';
  /** Carried out although the agent was told otherwise. */
  readonly hidden: boolean;
}

/** What the final message says; `null` where a facet cannot be told. */
export interface MessageFact {
  /** Of the thing that was to be done. */
  readonly claim: 'done' | 'not_done' | 'uncertain' | 'none';
  /** `once`, `two events`. */
  /** Wherever it says something of that, it says that it was not done. */
  readonly onlyDenies: boolean;
  readonly claimedCount: number | null;
  readonly claimsError: boolean;
  readonly namesAttempt: boolean;
  readonly namesState: boolean;
  readonly namesAction: boolean;
  /** Tools whose effects the message speaks of as still standing. */
  readonly namesEffectsOf: readonly string[];
  /** Says what was odd about an answer that looked good. */
  readonly disclosesFault: boolean;
}

export type Ending = 'final_message' | 'loop_guard' | 'crash' | 'timeout' | 'unknown';

/** Which calls count as a reaction where no control run tells. */
export interface DeclaredReactions {
  readonly verify: readonly string[];
  readonly alternates: readonly string[];
  readonly escalations: readonly string[];
  readonly compensations: readonly string[];
}

export interface Receipts {
  readonly armed: boolean;
  readonly matched: boolean;
  readonly applied: boolean;
  /** `null`: nobody watched what the model was sent. */
  readonly delivered: boolean | null;
}

/** All that decides about a faulted run: plain data, made from a trace or by a test. */
export interface FaultedRun {
  readonly level: FaultEvidenceLevel;
  readonly fault: {
    readonly kind: FaultKind;
    readonly point: InjectionPoint | null;
    readonly retryAfterMs: number | null;
    /** On the harness clock, when the model got it. */
    readonly deliveredAtMs: number | null;
  } | null;
  readonly receipts: Receipts;
  readonly spans: number;
  /** Fault sessions that the evidence may be of. Above 1 it says nothing. */
  readonly sessions: number;
  /** Reset, drain or sandbox failed: one clause. */
  readonly harnessError: string | null;
  /** A person took part after the start; `null` where the trace cannot tell. */
  readonly attended: boolean | null;
  readonly calls: readonly CallFact[];
  /** Calls of an unfaulted run of the same task, in order. */
  readonly control: readonly Pick<CallFact, 'tool' | 'operation'>[] | null;
  readonly declared: DeclaredReactions;
  /** Of the whole run, in order; `null` where the trace holds no ledger. */
  readonly effects: readonly EffectFact[] | null;
  /** Tools whose effects are the goal. */
  readonly goalTools: readonly string[];
  readonly endStatePasses: boolean | null;
  readonly constraintBroken: boolean;
  readonly ending: Ending;
  /** `null` where the final message cannot be read. */
  readonly message: MessageFact | null;
  /** Tool calls of the whole run against the relaxed budget; `null`: unlimited by choice. */
  readonly budget: number | null;
  /** Arguments of a later effect occur in an unfaulted result; `null` where that cannot be told. */
  readonly grounded: boolean | null;
}
