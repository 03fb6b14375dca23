import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import type { Clock } from '../../collectors/polling/clock.ts';

interface Sleeper {
  readonly wakeMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Answers that have come are read one by one, each in a turn of its own: more turns than wait at any time. */
const enoughTurns = 100;

/**
 * A clock that takes no real time: when nothing is under way on the network, it jumps to the next sleeper. A request
 * that hangs counts as idle after a moment of real silence.
 */
export class VirtualClock implements Clock {
  readonly dispatcher: Dispatcher;
  readonly #agent = new Agent({ connections: 16 });
  readonly #sleepers: Sleeper[] = [];
  readonly #startUnixMs: number;
  #ms = 0;
  #order = 0;
  #inFlight = 0;
  #activity = 0;
  #pumping = false;
  /** Each wait that was slept through. */
  readonly slept: number[] = [];

  constructor(startUnixMs: number = Date.UTC(2026, 10, 30, 15)) {
    this.#startUnixMs = startUnixMs;
    this.dispatcher = this.#agent.compose((dispatch) => (options, handler) => {
      this.#inFlight += 1;
      this.#activity += 1;
      const done = () => {
        this.#inFlight -= 1;
        this.#activity += 1;
      };
      return dispatch(options, {
        onRequestStart: (...args) => handler.onRequestStart?.(...args),
        onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => {
          this.#activity += 1;
          return handler.onResponseData?.(...args);
        },
        onResponseEnd: (...args) => {
          done();
          return handler.onResponseEnd?.(...args);
        },
        onResponseError: (...args) => {
          done();
          return handler.onResponseError?.(...args);
        },
      });
    });
  }

  nowMs(): number {
    return this.#ms;
  }

  unixMs(): number {
    return this.#startUnixMs + this.#ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const wake = () => {
        const at = this.#sleepers.indexOf(sleeper);
        if (at >= 0) this.#sleepers.splice(at, 1);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { wakeMs: this.#ms + Math.max(0, ms), order: this.#order++, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
      if (!this.#pumping) void this.#pump();
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#sleepers.length > 0) {
      await this.#idle();
      const next = [...this.#sleepers].sort((a, b) => a.wakeMs - b.wakeMs || a.order - b.order)[0];
      if (next === undefined) break;
      if (next.wakeMs > this.#ms) this.slept.push(next.wakeMs - this.#ms);
      this.#ms = Math.max(this.#ms, next.wakeMs);
      next.wake();
    }
    this.#pumping = false;
  }

  async #idle(): Promise<void> {
    let since = performance.now();
    let activity = this.#activity;
    for (let quietTurns = 0; quietTurns < enoughTurns; ) {
      await nextTurn();
      if (this.#activity !== activity) {
        activity = this.#activity;
        since = performance.now();
        quietTurns = 0;
      } else if (this.#inFlight === 0 || performance.now() - since > 30) quietTurns += 1;
    }
  }
}
