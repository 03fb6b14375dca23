import { type Random, seededRandom } from '../../statistics/random.ts';
import type { Injection } from '../plan/fault-plan.ts';

export interface Clocks {
  /** Virtual milliseconds. */
  readonly virtualMs: () => number;
  /** Milliseconds since the epoch. */
  readonly wallMs: () => number;
}

/** Tells of each try whether the fault hits it. Tries are counted from the first that may be hit. */
export class HitWindow {
  readonly #mode: Injection['mode'];
  readonly #clocks: Clocks;
  readonly #random: Random | undefined;
  #tries = 0;
  #sinceVirtualMs = 0;
  #sinceWallMs = 0;

  constructor({ mode }: Pick<Injection, 'mode'>, clocks: Clocks) {
    this.#mode = mode;
    this.#clocks = clocks;
    this.#random = typeof mode === 'object' && 'random' in mode ? seededRandom(mode.random.seed) : undefined;
  }

  /** Asked once for each try that matches. */
  hits(): boolean {
    if (this.#tries === 0) {
      this.#sinceVirtualMs = this.#clocks.virtualMs();
      this.#sinceWallMs = this.#clocks.wallMs();
    }
    this.#tries += 1;
    const mode = this.#mode;
    if (mode === 'single') return this.#tries === 1;
    if (mode === 'until_end') return true;
    if ('calls' in mode) return this.#tries <= mode.calls;
    if ('virtualSeconds' in mode) {
      const inTime = this.#clocks.virtualMs() - this.#sinceVirtualMs < mode.virtualSeconds * 1_000;
      return inTime && (this.#tries - 1) % (mode.every ?? 1) === 0;
    }
    if ('wallSeconds' in mode) return this.#clocks.wallMs() - this.#sinceWallMs < mode.wallSeconds * 1_000;
    return (this.#random?.nextUint32() ?? 0) < mode.random.share * 2 ** 32;
  }
}
