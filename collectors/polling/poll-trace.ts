import { buildTrace } from '../../src/trace/build-trace.ts';
import type { Completeness, SourceFacts } from '../../src/trace/completeness.ts';
import { completenessOf, type Expectations } from '../../src/trace/completeness-of.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { Clock } from './clock.ts';
import { OutOfTime } from './out-of-time.ts';
import { QuietWatch } from './quiet-watch.ts';
import { SpanUnion } from './span-union.ts';
import type { TraceAnswer } from './trace-answer.ts';
import type { Until } from './until.ts';

/** How long a trace is waited for. */
export interface PollOptions {
  /** How long the union of polls must stay the same; default 6,000. 0 takes the first answer that hangs together. */
  readonly settleMs?: number;
  readonly expectations?: Expectations;
  /** Told of a trace that may still grow; `true` says that all there is to decide is decided already. */
  readonly decided?: (traces: readonly CollectedTrace[]) => boolean;
}

export interface Polling extends PollOptions {
  read(traceId: string, until: Until): Promise<TraceAnswer>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** One trace as it came out of polling. */
export interface PolledTrace extends CollectedTrace {
  readonly answer: TraceAnswer | undefined;
  /** The server stopped answering while the trace was waited for. */
  readonly unavailable: OtelEvalError | undefined;
}

const firstIntervalMs = 500;
const longestIntervalMs = 2_000;

/**
 * Asks for one trace until it is proven or settled, until everything is decided, or until the deadline. What was seen
 * once stays seen. Throws where the server refuses, and `OTEL_EVAL_UNAVAILABLE` where it never answered.
 */
export async function pollTrace(traceId: string, polling: Polling, until: Until): Promise<PolledTrace> {
  const { clock } = polling;
  const state = new PolledState(traceId, polling);
  for (let interval = firstIntervalMs; ; interval = Math.min(longestIntervalMs, interval * 1.5)) {
    try {
      state.take(await polling.read(traceId, until), clock.nowMs());
    } catch (failure) {
      return state.resultAfter(failure);
    }
    const settling = state.completeness.state === 'settled';
    if (state.isFinal || polling.decided?.([state.result()]) === true) return state.result();
    const pauseMs = settling ? state.pauseMs : interval * (0.75 + polling.random() / 2);
    if (pauseMs >= until.deadline.remainingMs()) return state.result();
    await clock.sleep(pauseMs, until.signal);
    until.signal.throwIfAborted();
  }
}

class PolledState {
  readonly #traceId: string;
  readonly #polling: Polling;
  readonly #union = new SpanUnion();
  readonly #watch: QuietWatch;
  #answer: TraceAnswer | undefined;
  #quiet = false;
  #read: { readonly trace: CollectedTrace['trace']; readonly completeness: Completeness } | undefined;

  constructor(traceId: string, polling: Polling) {
    this.#traceId = traceId;
    this.#polling = polling;
    this.#watch = new QuietWatch(polling.settleMs);
  }

  /** As it will be if no further span comes. */
  get completeness(): Completeness {
    return this.#current.completeness;
  }

  get #current(): { readonly trace: CollectedTrace['trace']; readonly completeness: Completeness } {
    if (this.#read === undefined) {
      const trace = buildTrace(this.#traceId, this.#union.rows, this.#answer?.logs);
      this.#read = { trace, completeness: completenessOf(trace, this.#facts(true), this.#polling.expectations) };
    }
    return this.#read;
  }

  get pauseMs(): number {
    return this.#watch.pauseMs;
  }

  take(answer: TraceAnswer, nowMs: number): void {
    this.#answer = answer;
    this.#watch.saw(nowMs, this.#union.take(answer.rows));
    this.#quiet = this.#watch.quiet(nowMs);
    this.#read = undefined;
  }

  /** Nothing that may come can change how whole this is. */
  get isFinal(): boolean {
    const { state } = this.completeness;
    if (state === 'proven' || state === 'too-large' || state === 'pruned') return true;
    return this.#quiet && (state === 'settled' || state === 'partial');
  }

  result(unavailable?: OtelEvalError): PolledTrace {
    const facts = this.#facts(this.#quiet, unavailable === undefined ? [] : [unavailable.message]);
    const { trace, completeness } = this.#current;
    // Quiet or not makes no difference to what receipts prove.
    const isSame = unavailable === undefined && (this.#quiet || completeness.state === 'proven');
    const final = isSame ? completeness : completenessOf(trace, facts, this.#polling.expectations);
    return { trace, facts, completeness: final, answer: this.#answer, unavailable };
  }

  /** What came before the failure; throws it where that is nothing, or where it is more than a server that is away. */
  resultAfter(failure: unknown): PolledTrace {
    if (!OtelEvalError.is(failure) || failure.code !== 'OTEL_EVAL_UNAVAILABLE') throw failure;
    if (failure instanceof OutOfTime && this.#answer !== undefined) return this.result();
    if (this.#union.rows.length === 0) throw failure;
    return this.result(failure);
  }

  #facts(quiet: boolean, further: readonly string[] = []): SourceFacts {
    const serverSays = this.#answer?.serverSays;
    const losses = [...(this.#answer?.losses ?? []), ...further];
    const facts = { remote: true, ended: false, quiet, cut: false, losses };
    return serverSays === undefined ? facts : { ...facts, serverSays };
  }
}
