import { type Context, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { runFromOutside, runSetIn } from './run-context.ts';
import type { ReadableSpan, RunningSpan } from './sdk-shapes.ts';
import { Segment, SpanState } from './segment.ts';

/**
 * Knows to which segment each span belongs. A span's state is remembered on the span itself, under a symbol that only
 * this stamper holds: nothing to evict, nothing to leak when a span never ends, and it is still found through a copy
 * that was made with the span as prototype, by a spread or by a Proxy.
 */
export class SegmentStamper {
  readonly #state: symbol = Symbol('otel-eval.span-state');
  readonly #refused = new WeakMap<object, SpanState>();
  readonly #processorId: string;
  #segments = 0;

  /** `processorId`: 8 random hex digits; worker threads share a process id. */
  constructor(processorId: string) {
    this.#processorId = processorId;
  }

  started(span: RunningSpan, parentContext: Context): void {
    const context = span.spanContext();
    const sampled = (context.traceFlags & TraceFlags.SAMPLED) !== 0;
    const parent = this.#parentOf(span.parentSpanContext, parentContext, context.traceId);
    if (parent !== undefined) {
      const run = runSetIn(parentContext) ?? parent.run;
      this.#remember(span, new SpanState(parent.segment, sampled, false, run));
    } else if (sampled) {
      const run = runSetIn(parentContext) ?? runFromOutside(parentContext);
      this.#remember(span, new SpanState(this.#newSegment(context.traceId), true, true, run));
    }
  }

  /** State of a span that ends now, counted once; `undefined` for one that is not sampled or whose start was not seen. */
  ended(span: ReadableSpan): SpanState | undefined {
    const state = this.stateOf(span);
    if (state === undefined || !state.sampled) return undefined;
    const { segment } = state;
    segment.open--;
    segment.ended.add(span.spanContext().spanId);
    if (state.localRoot) segment.rootEnded = true;
    if (segment.rootEnded) {
      state.end = { receipt: { spans: segment.ended.count, open: segment.open, digest: segment.ended.hex() } };
    }
    return state;
  }

  stateOf(span: object): SpanState | undefined {
    return (span as { [key: symbol]: SpanState | undefined })[this.#state] ?? this.#refused.get(span);
  }

  #parentOf(parent: SpanContext | undefined, parentContext: Context, traceId: string): SpanState | undefined {
    if (parent === undefined || parent.isRemote === true) return undefined;
    const span = trace.getSpan(parentContext);
    const state = span === undefined ? undefined : this.stateOf(span);
    return state?.segment.traceId === traceId ? state : undefined;
  }

  #newSegment(traceId: string): Segment {
    this.#segments = (this.#segments + 1) >>> 0;
    return new Segment(this.#processorId, this.#segments, traceId);
  }

  #remember(span: object, state: SpanState): void {
    try {
      (span as { [key: symbol]: SpanState })[this.#state] = state;
    } catch {
      // Frozen, or a Proxy that refuses.
      this.#refused.set(span, state);
    }
  }
}
