import type { Context } from '@opentelemetry/api';
import type { Counters } from './counters.ts';
import { exportQueue } from './export-queue.ts';
import type { ReadableSpan, RunningSpan, SpanExporter, SpanProcessor } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import type { SpanCopier } from './span-copier.ts';
import { SpanMemo } from './span-memo.ts';
import { SpanView } from './span-view.ts';

/** One way out: a processor or exporter of the user and what may go there. */
export class Output {
  /** True where the processor behind also wants to see spans before they end. */
  readonly seesEnding: boolean;
  readonly #next: SpanProcessor;
  readonly #seesStart: boolean;
  readonly #copier: SpanCopier;
  readonly #counters: Counters;
  readonly #number: number;
  /** Of spans without a state; else the state holds the view, so that a processor gets one object from start to end. */
  readonly #views = new SpanMemo<SpanView>('otel-eval.span-view');

  constructor(next: SpanProcessor | SpanExporter, copier: SpanCopier, counters: Counters, number = 0) {
    this.#number = number;
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
      this.#remember(span, state, view);
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
  #remember(span: object, state: SpanState | undefined, view: SpanView): void {
    if (state === undefined) this.#views.remember(span, view);
    else if (this.#number === 0) state.view = view;
    else {
      state.views ??= new Map();
      state.views.set(this.#number, view);
    }
  }

  #remembered(span: object, state: SpanState | undefined): SpanView | undefined {
    if (!this.#seesStart) return undefined;
    const view = this.#number === 0 ? state?.view : state?.views?.get(this.#number);
    return view === undefined ? this.#views.of(span) : (view as SpanView);
  }

  #viewOf(span: ReadableSpan, state: SpanState | undefined): SpanView {
    const view = this.#remembered(span, state);
    // Of a copy that somebody before us made, what the copy says counts and not what the span said.
    return view !== undefined && SpanView.isOf(view, span) ? view : new SpanView(span, this.#copier);
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
