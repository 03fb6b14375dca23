/** Design §5: the union of polls must stay the same this long. */
export const defaultSettleMs = 6_000;

/** …and over so many polls, the one that showed the last new span included. */
const settlePolls = 3;

/** Tells when a trace that is asked for again and again has come to rest. */
export class QuietWatch {
  readonly #settleMs: number;
  #sameSinceMs = 0;
  #samePolls = 0;
  #lastWasWhole = false;

  /** `settleMs` 0: the first answer will do. */
  constructor(settleMs: number = defaultSettleMs) {
    this.#settleMs = settleMs;
  }

  saw(nowMs: number, { grew, whole }: { readonly grew: boolean; readonly whole: boolean }): void {
    this.#lastWasWhole = whole;
    if (grew) {
      this.#sameSinceMs = nowMs;
      this.#samePolls = 1;
    } else if (this.#samePolls > 0) this.#samePolls++;
  }

  quiet(nowMs: number): boolean {
    if (this.#samePolls === 0 || !this.#lastWasWhole) return false;
    return this.#settleMs === 0 || (this.#samePolls >= settlePolls && nowMs - this.#sameSinceMs >= this.#settleMs);
  }

  /** Wait before the next poll of a trace that only has to prove its rest: the fewest polls that can. Timers may fire early. */
  get pauseMs(): number {
    return this.#settleMs / (settlePolls - 1) + 5;
  }
}
