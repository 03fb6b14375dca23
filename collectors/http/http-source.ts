import type { Dispatcher } from 'undici';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type Clock, systemClock } from '../polling/clock.ts';
import { OutOfTime } from '../polling/out-of-time.ts';
import type { Until } from '../polling/until.ts';
import type { Answer } from './answer.ts';
import { dispatcherTo } from './dispatcher.ts';
import { type Exchange, exchange, type Question } from './exchange.ts';
import { MomentaryFailure } from './momentary-failure.ts';
import { ReadingTurns } from './reading-turns.ts';
import { throwIfRefused } from './refusal.ts';
import { type Credentials, requestHeaders } from './request-headers.ts';
import { type ServerAddress, serverAddress } from './server-address.ts';
import { SilenceWatch } from './silence-watch.ts';
import { Slots } from './slots.ts';

export interface HttpOptions extends Credentials {
  /** Base address, with a path prefix where the server has one. */
  readonly url: string;
  /** PEM text. */
  readonly ca?: string;
  /** Requests at a time; default 8. */
  readonly concurrency?: number;
  /** Longest silence of the server before a request counts as hung; default 15,000. */
  readonly silenceMs?: number;
  /** Bytes of one answer at most, inflated; default 64 MiB. */
  readonly maxResponseBytes?: number;
  /** For proxy variables; default none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Injected by tests. */
  readonly clock?: Clock;
  /** From 0 to 1, for the jitter of retries; injected by tests. */
  readonly random?: () => number;
  /** In place of a pool of our own; not closed by us. */
  readonly dispatcher?: Dispatcher;
}

const firstBackoffMs = 200;
const longestBackoffMs = 5_000;
/** Of answers that are here and not yet read; beyond it the next request waits. */
const mostBytesAhead = 16 * 1_024 * 1_024;

const askForLess = 'Raise --deadline, or ask for less: a later --since, a smaller --limit.';

/** One server, asked over one pool of connections, again and again where that may help, until the deadline. */
export class HttpSource {
  readonly address: ServerAddress;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly #exchange: Exchange;
  readonly #random: () => number;
  /** One for each request: given back when its bytes are here, so that the next is on its way while an answer is read. */
  readonly #slots: Slots;
  readonly #turns = new ReadingTurns();
  readonly #owned: Dispatcher | undefined;
  #closed = false;

  constructor(options: HttpOptions, tenantHeader: string) {
    const { ca, environment, clock = systemClock, concurrency = 8 } = options;
    this.address = serverAddress(options.url);
    this.clock = clock;
    this.concurrency = concurrency;
    this.#slots = new Slots(concurrency);
    this.#random = options.random ?? Math.random;
    const headers = requestHeaders(options, tenantHeader);
    this.#owned =
      options.dispatcher === undefined
        ? dispatcherTo(this.address, {
            connections: concurrency,
            ...(ca === undefined ? {} : { ca }),
            ...(environment === undefined ? {} : { environment }),
          })
        : undefined;
    this.#exchange = {
      address: this.address,
      headers,
      dispatcher: options.dispatcher ?? (this.#owned as Dispatcher),
      watch: new SilenceWatch(clock),
      clock,
      silenceMs: options.silenceMs ?? 15_000,
      maxBytes: options.maxResponseBytes ?? 64 * 1_024 * 1_024,
    };
  }

  /**
   * The answer to a question: 2xx, or 404 and 422, whose meaning depends on the question. Everything else is thrown as
   * an `OtelEvalError`; `OTEL_EVAL_UNAVAILABLE` when no answer came until the deadline.
   */
  async ask(question: Question, until: Until): Promise<Answer> {
    if (until.deadline.passed) throw this.#outOfTime('the deadline passed before all was asked', askForLess);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#askOnce(question, until);
      } catch (failure) {
        if (!(failure instanceof MomentaryFailure)) throw failure;
        await this.#backOff(failure, attempt, until);
      }
    }
  }

  /** Ends the connections; may be called twice. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#owned?.destroy();
  }

  async #askOnce(question: Question, until: Until): Promise<Answer> {
    const answer = await this.#whole(question, until);
    if (question.takes?.(answer) !== true) throwIfRefused(answer, this.address, this.clock.unixMs());
    return answer;
  }

  async #whole(question: Question, until: Until): Promise<Answer> {
    await this.#slots.take();
    let turn: Promise<void>;
    let answer: Answer;
    try {
      until.signal.throwIfAborted();
      if (this.#closed) throw new OtelEvalError('OTEL_EVAL_USAGE', 'the collector was closed');
      answer = await exchange(this.#exchange, question, until);
      turn = this.#turns.next(answer.body.length);
      if (this.#turns.bytes > mostBytesAhead) await turn;
    } finally {
      this.#slots.giveBack();
    }
    await turn;
    return answer;
  }

  async #backOff(failure: MomentaryFailure, attempt: number, { deadline, signal }: Until): Promise<void> {
    const ceilingMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempt - 1));
    const waitMs = failure.waitMs + ceilingMs * this.#random();
    if (waitMs >= deadline.remainingMs()) {
      const asked = failure.waitMs > 0 ? `, and asks to wait ${Math.ceil(failure.waitMs / 1_000)} s` : '';
      const tries = attempt === 1 ? '1 try' : `${attempt} tries`;
      const what = `no answer before the deadline, after ${tries}; last: ${failure.message}${asked}`;
      throw attempt === 1 && failure.cutByDeadline ? this.#outOfTime(what) : this.#unavailable(what);
    }
    await this.clock.sleep(waitMs, signal);
  }

  #unavailable(what: string): OtelEvalError {
    const { shown } = this.address;
    return new OtelEvalError('OTEL_EVAL_UNAVAILABLE', `${shown}: ${what}`, { source: shown });
  }

  #outOfTime(what: string, hint?: string): OutOfTime {
    const { shown } = this.address;
    return new OutOfTime(`${shown}: ${what}`, hint === undefined ? { source: shown } : { source: shown, hint });
  }
}
