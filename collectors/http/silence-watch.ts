import type { Clock } from '../polling/clock.ts';
import type { IncomingAnswer } from './incoming-answer.ts';

/** The default reason is an exception with a stack. */
const idle = 'nothing is under way';

/** Gives up answers that are silent for too long: one timer, and one listener, for all that are under way. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #underWay = new Map<IncomingAnswer, AbortSignal>();
  readonly #heeded = new WeakSet<AbortSignal>();
  #timer: AbortController | undefined;
  #wakesMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Until `ended`; `signal` gives it up. */
  over(answer: IncomingAnswer, signal: AbortSignal): void {
    this.#underWay.set(answer, signal);
    this.#heed(signal);
    if (answer.expiresMs < this.#wakesMs) void this.#sleep(answer.expiresMs);
  }

  ended(answer: IncomingAnswer): void {
    this.#underWay.delete(answer);
    if (this.#underWay.size > 0) return;
    this.#timer?.abort(idle);
    this.#timer = undefined;
    this.#wakesMs = Number.POSITIVE_INFINITY;
  }

  #heed(signal: AbortSignal): void {
    if (this.#heeded.has(signal)) return;
    this.#heeded.add(signal);
    const giveUp = () => {
      for (const [answer, its] of this.#underWay) if (its === signal) answer.giveUp(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
  }

  async #sleep(untilMs: number): Promise<void> {
    this.#timer?.abort(idle);
    const timer = new AbortController();
    this.#timer = timer;
    this.#wakesMs = untilMs;
    await this.#clock.sleep(Math.max(0, untilMs - this.#clock.nowMs()), timer.signal);
    if (timer.signal.aborted) return;
    this.#wakesMs = Number.POSITIVE_INFINITY;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const answer of this.#underWay.keys()) {
      if (answer.expiresMs <= this.#clock.nowMs()) answer.expire();
      else nextMs = Math.min(nextMs, answer.expiresMs);
    }
    if (nextMs < Number.POSITIVE_INFINITY) void this.#sleep(nextMs);
  }
}
