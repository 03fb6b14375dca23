import type { Context } from '@opentelemetry/api';
import type { Counters } from './counters.ts';
import { exportQueue } from './export-queue.ts';
import type { ReadableSpan, RunningSpan, SpanExporter, SpanProcessor } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import type { SpanCopier } from './span-copier.ts';
import { SpanView } from './span-view.ts';

/** One way out: a processor or exporter of the user and what may go there. */
export class Output {
  /** True where the processor behind also wants to see spans before they end. */
  readonly seesEnding: boolean;
  readonly #next: SpanProcessor;
  readonly #seesStart: boolean;
  readonly #copier: SpanCopier;
  readonly #counters: Counters;
  /** Of spans without a state; else the view is kept with the state. */
  readonly #views = new WeakMap<object, SpanView>();

  constructor(next: SpanProcessor | SpanExporter, copier: SpanCopier, counters: Counters) {
    this.#seesStart = isProcessor(next);
    this.#next = isProcessor(next) ? next : exportQueue(next, counters);
    this.seesEnding = typeof this.#next.onEnding === 'function';
    this.#copier = copier;
    this.#counters = counters;
  }

  started(span: RunningSpan, parentContext: Context, state: SpanState | undefined): void {
    if (!this.#seesStart) return;
    try {
      const view = new SpanView(span, this.#copier);
      if (state === undefined) this.#views.set(span, view);
      else SpanView.keep(view, state);
      this.#next.onStart(view, parentContext);
    } catch {
      this.#counters.failed++;
    }
  }

  ending(span: RunningSpan, state: SpanState | undefined): void {
    try {
      this.#next.onEnding?.(this.#viewOf(span, state));
    } catch {
      this.#counters.failed++;
    }
  }

  ended(span: ReadableSpan, state: SpanState | undefined): void {
    try {
      this.#next.onEnd(SpanView.end(this.#viewOf(span, state), state));
    } catch {
      this.#counters.failed++;
    }
  }

  #viewOf(span: ReadableSpan, state: SpanState | undefined): SpanView {
    const view = state === undefined ? this.#views.get(span) : SpanView.kept(state, span, this.#copier);
    return view ?? new SpanView(span, this.#copier);
  }

  async forceFlush(): Promise<void> {
    await this.#next.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.#next.shutdown();
  }
}

function isProcessor(next: SpanProcessor | SpanExporter): next is SpanProcessor {
  return typeof (next as Partial<SpanProcessor>).onEnd === 'function';
}
