import { AsyncLocalStorage } from 'node:async_hooks';
import { type SpanContext, trace } from '@opentelemetry/api';
import { canonicalJson } from '../../trace/canonical-json.ts';
import type { EffectFact } from '../recovery/faulted-run.ts';

/** One entry: what a tool did, undid, or was refused to do. */
export interface LedgerEntry extends EffectFact {
  /** Model-visible calls that had begun when it was written; 0 before the first. */
  readonly calls: number;
  /** For a hidden one: the span of the call that it was hidden from. */
  readonly toldIn: SpanContext | undefined;
}

/**
 * What tools changed in the world, written by the sandbox and not by the agent. Two effects are the same when tool kind
 * and business key are: a second booking of one slot for one person, whatever ids the calls have.
 *
 * @example
 * ledger.commit('create_event', { slot, attendee });
 */
export class EffectLedger {
  readonly #entries: LedgerEntry[] = [];
  readonly #identities = new Map<string, number>();
  readonly #hidden = new AsyncLocalStorage<{ readonly toldIn: SpanContext | undefined }>();
  /** Kept by the injector. */
  calls = 0;

  /** The effect took place, also where it is a second one of the same key. */
  commit(tool: string, key: unknown): void {
    this.#write(tool, key, 'committed');
  }

  /** It was tried again and turned away: counted, although nothing changed. */
  reject(tool: string, key: unknown): void {
    this.#write(tool, key, 'rejected');
  }

  undo(tool: string, key: unknown): void {
    this.#write(tool, key, 'undone');
  }

  /** How many effects of this key stand. */
  standing(key: unknown): number {
    const identity = this.#identities.get(canonicalJson(key));
    const own = this.#entries.filter((entry) => entry.identity === identity);
    const count = (state: LedgerEntry['state']): number => own.filter((entry) => entry.state === state).length;
    return Math.max(0, count('committed') - count('undone'));
  }

  /** Carries out a call of which the agent is told otherwise: what it writes is marked as hidden. */
  hiding<Result>(work: () => Result): Result {
    return this.#hidden.run({ toldIn: trace.getActiveSpan()?.spanContext() }, work);
  }

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  #write(tool: string, key: unknown, state: LedgerEntry['state']): void {
    const name = canonicalJson(key);
    const identity = this.#identities.get(name) ?? this.#identities.size + 1;
    this.#identities.set(name, identity);
    const hidden = this.#hidden.getStore();
    this.#entries.push({
      tool,
      identity,
      state,
      hidden: hidden !== undefined,
      calls: this.calls,
      toldIn: hidden?.toldIn,
    });
  }
}
