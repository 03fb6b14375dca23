import type { Context } from '@opentelemetry/api';
import type { Counters } from './counters.ts';
import { exportQueue } from './export-queue.ts';
import type { ReadableSpan, RunningSpan, SpanExporter, SpanProcessor } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';
import { type Copier, SpanView } from './span-view.ts';

/** One way out: a processor or exporter of the user and what may go there. */
export class Output {
  readonly #next: SpanProcessor;
  readonly #copier: Copier;
  readonly #counters: Counters;

  constructor(next: SpanProcessor | SpanExporter, copier: Copier, counters: Counters) {
    this.#next = isProcessor(next) ? next : exportQueue(next, counters);
    this.#copier = copier;
    this.#counters = counters;
  }

  started(span: RunningSpan, parentContext: Context): void {
    try {
      this.#next.onStart(span, parentContext);
    } catch {
      this.#counters.failed++;
    }
  }

  ended(span: ReadableSpan, state: SpanState | undefined): void {
    try {
      this.#next.onEnd(new SpanView(span, state, this.#copier));
    } catch {
      this.#counters.failed++;
    }
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
