import { EffectLedger } from '../ledger/effect-ledger.ts';

/** By these words the error of the first read is known where a model is sent it. */
export const syntheticFailure = 'synthetic failure of read_value';

/** What a read fails with at its first try. It carries nothing that a model could quote, but for what a sweep varies. */
export class SyntheticError extends Error {
  constructor(message: string = syntheticFailure) {
    super(message);
    this.name = 'SyntheticError';
  }
}

/** The two tools of one trial, with their ledger; made anew for each. */
export interface ValueTools {
  readonly read_value: () => number;
  readonly record_value: (args: { readonly value: number }) => { readonly recorded: boolean };
  readonly ledger: EffectLedger;
  readonly counts: { reads: number; records: number };
  readonly recorded: readonly number[];
  /** What the failing read says. */
  readonly errorMessage: string;
}

export interface ValueToolsOptions {
  /** What the failing read says. Default: one fixed sentence. */
  readonly errorMessage?: string | undefined;
}

const answer = 42;

/** `read_value` fails once and then gives 42; `record_value` applies a value once, and counts every further try. */
export function valueTools({ errorMessage = syntheticFailure }: ValueToolsOptions = {}): ValueTools {
  const ledger = new EffectLedger();
  const counts = { reads: 0, records: 0 };
  const recorded: number[] = [];
  return {
    ledger,
    counts,
    recorded,
    errorMessage,
    read_value() {
      counts.reads += 1;
      if (counts.reads === 1) throw new SyntheticError(errorMessage);
      return answer;
    },
    record_value({ value }) {
      counts.records += 1;
      if (recorded.length > 0) {
        ledger.reject('record_value', {});
        return { recorded: false };
      }
      recorded.push(value);
      ledger.commit('record_value', {});
      return { recorded: true };
    },
  };
}
