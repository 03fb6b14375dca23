import type { Attributes, Span } from '@opentelemetry/api';
import { trace } from '@opentelemetry/api';

/** An event that waits for its span. */
export interface WaitingEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Writes receipts and evidence as events on the span that is active when they happen; where none records, they wait for
 * the harness's own span.
 */
export class ReceiptEvents {
  readonly #waiting: WaitingEvent[] = [];

  write(name: string, attributes: Attributes): void {
    const span = trace.getActiveSpan();
    if (span?.isRecording() === true) span.addEvent(name, attributes);
    else this.#waiting.push({ name, attributes });
  }

  /** For the harness's span only: what tools changed is not the agent's to tell. */
  keep(name: string, attributes: Attributes): void {
    this.#waiting.push({ name, attributes });
  }

  flushTo(span: Span): void {
    for (const { name, attributes } of this.#waiting.splice(0)) span.addEvent(name, attributes);
  }
}
