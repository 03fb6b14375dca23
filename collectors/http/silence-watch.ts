import type { Clock } from '../polling/clock.ts';

/** Reasons made once: the default one is an exception with a stack. */
const idle = 'nothing is under way';
const given = 'the caller has given up';
const silent = 'no answer for too long';

/** A request that is under way. */
export class WatchedRequest {
  readonly #controller = new AbortController();
  readonly #watch: SilenceWatch;
  readonly #outer: AbortSignal;
  readonly #giveUp = () => this.#controller.abort(given);
  readonly #silenceMs: number;
  #heardMs: number;

  constructor(watch: SilenceWatch, silenceMs: number, outer: AbortSignal) {
    this.#watch = watch;
    this.#silenceMs = silenceMs;
    this.#outer = outer;
    this.#heardMs = watch.clock.nowMs();
    outer.addEventListener('abort', this.#giveUp, { once: true });
    if (outer.aborted) this.#giveUp();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get tooLong(): boolean {
    return this.signal.reason === silent;
  }

  /** When it counts as hung, unless something is heard. */
  get expiresMs(): number {
    return this.#heardMs + this.#silenceMs;
  }

  heard(): void {
    this.#heardMs = this.#watch.clock.nowMs();
  }

  expire(): void {
    this.#controller.abort(silent);
  }

  end(): void {
    this.#outer.removeEventListener('abort', this.#giveUp);
    this.#watch.ended(this);
  }
}

/** Aborts requests of which nothing was heard for too long: one timer for all that are under way. */
export class SilenceWatch {
  readonly clock: Clock;
  readonly #requests = new Set<WatchedRequest>();
  #timer: AbortController | undefined;
  #wakesMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  over(silenceMs: number, outer: AbortSignal): WatchedRequest {
    const request = new WatchedRequest(this, silenceMs, outer);
    this.#requests.add(request);
    if (request.expiresMs < this.#wakesMs) void this.#sleep(request.expiresMs);
    return request;
  }

  ended(request: WatchedRequest): void {
    this.#requests.delete(request);
    if (this.#requests.size > 0) return;
    this.#timer?.abort(idle);
    this.#timer = undefined;
    this.#wakesMs = Number.POSITIVE_INFINITY;
  }

  async #sleep(untilMs: number): Promise<void> {
    this.#timer?.abort(idle);
    const timer = new AbortController();
    this.#timer = timer;
    this.#wakesMs = untilMs;
    await this.clock.sleep(Math.max(0, untilMs - this.clock.nowMs()), timer.signal);
    if (timer.signal.aborted) return;
    this.#wakesMs = Number.POSITIVE_INFINITY;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const request of this.#requests) {
      if (request.expiresMs <= this.clock.nowMs()) request.expire();
      else nextMs = Math.min(nextMs, request.expiresMs);
    }
    if (nextMs < Number.POSITIVE_INFINITY) void this.#sleep(nextMs);
  }
}
