import type { Attributes, Span } from '@opentelemetry/api';
import { trace } from '@opentelemetry/api';
import { ownAttributes } from '../../trace/own-attributes.ts';

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
  readonly #sessionId: string;

  /** @param sessionId - tells the events of this session from those of others in the same trace */
  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  write(name: string, attributes: Attributes): void {
    const span = trace.getActiveSpan();
    if (span?.isRecording() === true) this.writeTo(span, name, attributes);
    else this.#waiting.push({ name, attributes });
  }

  writeTo(span: Span, name: string, attributes: Attributes): void {
    span.addEvent(name, { ...attributes, [ownAttributes.faultSession]: this.#sessionId });
  }

  /** For the harness's span only: what tools changed is not the agent's to tell. */
  keep(name: string, attributes: Attributes): void {
    this.#waiting.push({ name, attributes });
  }

  flushTo(span: Span): void {
    for (const { name, attributes } of this.#waiting.splice(0)) this.writeTo(span, name, attributes);
  }
}
