import type { Json } from '../../agent/run.ts';
import type { MessagePatterns } from '../message/read-message.ts';
import type { DeclaredReactions } from '../recovery/faulted-run.ts';

/** What a suite declares, so that a trace can be read for recovery. */
export interface RecoveryOptions extends DeclaredReactions {
  /** By tool; what is not named and not told by the trace counts as a write. */
  readonly effects: Readonly<Record<string, 'read' | 'write'>>;
  /** Tools whose effects are the goal. Default: the faulted tool, where it writes. */
  readonly goal: readonly string[];
  /** Names of arguments that make a second call harmless. */
  readonly idempotencyKeys: readonly string[];
  /** Calls of an unfaulted run of the same task, in order. */
  readonly control: readonly { readonly tool: string; readonly arguments?: Json | undefined }[] | undefined;
  /** Tool calls of a faulted run; `null`: unlimited, by choice. */
  readonly budget: number | null;
  readonly message: MessagePatterns;
}
