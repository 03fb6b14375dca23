import type { ToolSpec } from '../inject/tool-spec.ts';
import type { PlainTool } from '../inject/wrap-tools.ts';
import type { EffectLedger } from '../ledger/effect-ledger.ts';

/** A call that an agent may make. */
export interface PlannedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One thing that a task needs, with all that a reference agent must know of it. What was learnt is kept in the world. */
export interface ReferenceStep {
  call(): PlannedCall;
  /** Takes the answer in. */
  learn(result: unknown): void;
  /** An answer at which a careful reader would stop. */
  doubtful(result: unknown): boolean;
  /** A read that shows whether the write took place. */
  readonly verify?: { call(): PlannedCall; shows(result: unknown): boolean } | undefined;
  /** Another way to the same end. */
  alternate?(result: unknown): PlannedCall;
  /** What a careless agent assumes where the answer is missing. */
  assume(): void;
  /** `create the event`. */
  readonly attempt: string;
  /** What stands when it has not been done, in whole sentences. */
  readonly left: string;
}

/** A fresh sandbox with its task. */
export interface ReferenceWorld {
  readonly ledger: EffectLedger;
  readonly tools: Readonly<Record<string, PlainTool>>;
  readonly specs: Readonly<Record<string, ToolSpec>>;
  readonly steps: readonly ReferenceStep[];
  /** Whether the goal is reached, and nothing beyond it. */
  passes(): boolean;
  /** What is said when all went well. */
  readonly done: string;
}

/** A task that the reference agents can do; the world is made anew for each run. */
export interface ReferenceTask {
  readonly name: string;
  open(): ReferenceWorld;
}
