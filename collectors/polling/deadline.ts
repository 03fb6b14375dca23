import type { Clock } from './clock.ts';

/** The one point in time by which a whole check ends. */
export class Deadline {
  readonly #clock: Clock;
  /** By the clock. */
  readonly endMs: number;

  constructor(clock: Clock, durationMs: number) {
    this.#clock = clock;
    this.endMs = clock.nowMs() + durationMs;
  }

  /** Never negative. */
  remainingMs(): number {
    return Math.max(0, this.endMs - this.#clock.nowMs());
  }

  get passed(): boolean {
    return this.remainingMs() === 0;
  }
}
