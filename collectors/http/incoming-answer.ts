import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock } from '../polling/clock.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { MomentaryFailure } from './momentary-failure.ts';

export interface AnswerBounds {
  readonly clock: Clock;
  /** Longest silence: to the first byte, and between two. */
  readonly silenceMs: number;
  /** When it must be whole, by the clock. */
  readonly endMs: number;
  readonly maxBytes: number;
  readonly tooLarge: () => Error;
}

/** An answer as it was sent. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/**
 * Takes one answer in, within bounds. undici calls it directly: a stream for each body would cost more than the body.
 * `whole` rejects with a `MomentaryFailure` when it expires, with what `giveUp` was given, or as undici says.
 */
export class IncomingAnswer implements Dispatcher.DispatchHandler {
  readonly whole: Promise<SentAnswer>;
  readonly #bounds: AnswerBounds;
  readonly #body = new GrowingBytes();
  #resolve: (answer: SentAnswer) => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #heardMs: number;
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(bounds: AnswerBounds) {
    this.#bounds = bounds;
    this.#heardMs = bounds.clock.nowMs();
    this.whole = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** When it counts as hung, unless something is heard. */
  get expiresMs(): number {
    return Math.min(this.#heardMs + this.#bounds.silenceMs, this.#bounds.endMs);
  }

  expire(): void {
    const seconds = Math.round(this.#bounds.silenceMs / 100) / 10;
    const what = this.#status === 0 ? `no answer within ${seconds} s` : 'its answer did not come to an end';
    const cutByDeadline = this.#bounds.endMs <= this.#heardMs + this.#bounds.silenceMs;
    this.giveUp(new MomentaryFailure(what, { cutByDeadline }));
  }

  giveUp(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reject(reason);
    this.#controller?.abort(new Error('given up'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('given up'));
  }

  /** Called for informational answers (1xx) too, which have no body. */
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#heardMs = this.#bounds.clock.nowMs();
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Uint8Array): void {
    this.#heardMs = this.#bounds.clock.nowMs();
    this.#body.add(piece);
    if (this.#body.length > this.#bounds.maxBytes) this.giveUp(this.#bounds.tooLarge());
  }

  onResponseEnd(): void {
    this.#isOver = true;
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body.whole() });
  }

  onResponseError(_: Dispatcher.DispatchController, failure: Error): void {
    this.#isOver = true;
    this.#reject(failure);
  }
}
