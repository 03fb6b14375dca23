import type { StraySpan } from './recorded-run.ts';

/** Where the spans of one recording go. */
export interface SpanStore<Span> {
  onStart(span: Span): void;
  onEnd(span: Span): void;
}

/** What is used of a span here. */
interface IdentifiedSpan {
  spanContext(): { readonly spanId: string };
}

// Taken when the module loads: the fake timers of a test must not hold a recording up.
const { setTimeout: startTimer, clearTimeout: stopTimer, setImmediate: nextTurn } = globalThis;

/** One call of `record`, and the spans that belong to it. */
export class Recording<Span extends IdentifiedSpan> {
  /** How a reader of a test report knows it. */
  readonly name: string;
  readonly open: Map<string, Span> = new Map();
  readonly others: StraySpan[] = [];
  over = false;
  readonly #store: SpanStore<Span>;
  #wake: (() => void) | undefined;

  constructor(name: string, store: SpanStore<Span>) {
    this.name = name;
    this.#store = store;
  }

  started(span: Span): void {
    this.open.set(span.spanContext().spanId, span);
    if (!this.over) this.#store.onStart(span);
  }

  ended(span: Span): void {
    this.open.delete(span.spanContext().spanId);
    if (!this.over) this.#store.onEnd(span);
    if (this.open.size === 0) this.#wake?.();
  }

  /**
   * Until no span of it is open, at most so long. A span may be ended in a turn after the one that settled the promise of
   * the app (open-telemetry/opentelemetry-js#5602), and that of a stream later still.
   */
  async settle(graceMs: number): Promise<void> {
    let late = false;
    const timer = startTimer(() => {
      late = true;
      this.#wake?.();
    }, graceMs);
    // Once more after the last one has ended: what the app does in the same turn may start another.
    await turn();
    while (this.open.size > 0 && !late) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await turn();
    }
    stopTimer(timer);
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}
