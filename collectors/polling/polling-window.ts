import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type PolledTrace, type Polling, pollTrace } from './poll-trace.ts';
import type { RemoteCount } from './remote-progress.ts';
import type { Until } from './until.ts';

/** Spans of traces that are being waited for, at most; beyond it no further trace is asked for. */
const mostSpansWaiting = 20_000;
/** Traces that are ready and not yet judged. */
const mostReady = 32;

/** Traces that are being asked for, for each request that may be under way: one there, one on its way, one next. */
const askedForEach = 3;
/** With fewer than this, the next are asked for: several at once, since each alone would wake a server that rests. */
const askAgainForEach = 2;

export interface WindowGivens {
  /** Requests at a time. */
  readonly concurrency: number;
  readonly count: RemoteCount;
}

/**
 * Polls many traces and hands each on as soon as it is ready. What is held at any time is bounded, however many traces
 * there are.
 */
export class PollingWindow {
  readonly #concurrency: number;
  #asked = 0;
  #isFull = false;
  readonly #polling: Polling;
  readonly #until: Until;
  readonly #count: RemoteCount;
  readonly #ready: PolledTrace[] = [];
  /** Spans that are held of each trace that is asked for. */
  readonly #waiting = new Map<string, number>();
  #spansWaiting = 0;
  #wake: () => void = () => {};
  #failure: unknown;
  /** The first trace for which the server had no answer, ever. */
  unavailable: OtelEvalError | undefined;

  constructor(polling: Polling, until: Until, { concurrency, count }: WindowGivens) {
    this.#concurrency = concurrency;
    this.#count = count;
    this.#polling = {
      ...polling,
      read: async (traceId, end) => {
        this.#asked += 1;
        try {
          const answer = await polling.read(traceId, end);
          this.#holds(traceId, answer.rows.length);
          this.#count.asked(this.#waiting.size);
          return answer;
        } finally {
          this.#asked -= 1;
          this.#wake();
        }
      },
    };
    this.#until = until;
  }

  /** In order of readiness. Throws at once where the server refuses. */
  async *poll(traceIds: Iterable<string>): AsyncGenerator<PolledTrace> {
    const source = traceIds[Symbol.iterator]();
    let next = source.next();
    for (;;) {
      while (next.done !== true && this.#hasRoom()) {
        this.#start(next.value);
        next = source.next();
      }
      if (this.#failure !== undefined) throw this.#failure;
      const ready = this.#ready.shift();
      if (ready !== undefined) yield ready;
      else if (this.#waiting.size === 0) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #hasRoom(): boolean {
    const most = (this.#isFull ? askAgainForEach : askedForEach) * this.#concurrency;
    this.#isFull = this.#asked >= most;
    if (this.#isFull || this.#ready.length >= mostReady) return false;
    return this.#spansWaiting < mostSpansWaiting;
  }

  /** A smaller answer does not make a trace smaller. */
  #holds(traceId: string, spans: number): void {
    const before = this.#waiting.get(traceId) ?? 0;
    if (spans <= before) return;
    this.#waiting.set(traceId, spans);
    this.#spansWaiting += spans - before;
  }

  #start(traceId: string): void {
    this.#waiting.set(traceId, 0);
    pollTrace(traceId, this.#polling, this.#until)
      .then(
        (polled) => {
          this.#ready.push(polled);
          this.unavailable ??= polled.unavailable;
        },
        (failure: unknown) => {
          if (OtelEvalError.is(failure) && failure.code === 'OTEL_EVAL_UNAVAILABLE') this.unavailable ??= failure;
          else this.#failure ??= failure;
        },
      )
      .finally(() => {
        this.#spansWaiting -= this.#waiting.get(traceId) ?? 0;
        this.#waiting.delete(traceId);
        this.#count.read(this.#waiting.size);
        this.#wake();
      });
  }
}
