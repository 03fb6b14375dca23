import type { Attributes, Context } from '@opentelemetry/api';
import type { Counters } from './counters.ts';
import { exportQueue } from './export-queue.ts';
import type { ReadableSpan, RunningSpan, SpanExporter, SpanProcessor } from './sdk-shapes.ts';
import type { SpanState } from './segment.ts';

/** What several outputs of one span share: decided once, whatever leaves through which of them. */
export interface SharedFacts {
  readonly state: SpanState | undefined;
  /** Stamps of a tool call; `undefined` until the first output has looked. */
  tool: Attributes | undefined;
}

/** Makes the copy of a span that may leave through one output. May throw; then the span leaves bare. */
export interface Copier {
  copy(span: ReadableSpan, facts: SharedFacts): ReadableSpan;
  /** Ids, times and status code, with the stamps of its segment. */
  bare(span: ReadableSpan, facts: SharedFacts): ReadableSpan;
}

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

  ended(span: ReadableSpan, facts: SharedFacts): void {
    try {
      this.#next.onEnd(this.#copyOf(span, facts));
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

  #copyOf(span: ReadableSpan, facts: SharedFacts): ReadableSpan {
    try {
      return this.#copier.copy(span, facts);
    } catch {
      this.#counters.failed++;
      return this.#copier.bare(span, facts);
    }
  }
}

function isProcessor(next: SpanProcessor | SpanExporter): next is SpanProcessor {
  return typeof (next as Partial<SpanProcessor>).onEnd === 'function';
}
