import { type Context, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { OpenSegments } from './open-segments.ts';
import { rememberedState, rememberState } from './remembered-state.ts';
import { runFromOutside, runSetIn } from './run-context.ts';
import type { ReadableSpan, RunningSpan } from './sdk-shapes.ts';
import { Segment, SpanEnd, SpanState } from './segment.ts';

/** Knows to which segment each span belongs, and writes the receipts. */
export class SegmentStamper {
  readonly #open = new OpenSegments();
  readonly #processorId: string;
  #segments = 0;

  /** `processorId`: 8 random hex digits; worker threads share a process id. */
  constructor(processorId: string) {
    this.#processorId = processorId;
  }

  /** State of a span that starts; `undefined` for one that nothing is stamped on. */
  started(span: RunningSpan, parentContext: Context): SpanState | undefined {
    const context = span.spanContext();
    const sampled = (context.traceFlags & TraceFlags.SAMPLED) !== 0;
    const parent = this.#parentOf(span.parentSpanContext, parentContext, context.traceId);
    if (parent !== undefined) {
      const run = runSetIn(parentContext) ?? parent.run;
      if (parent.segment.isAtRest) this.#open.add(parent.segment);
      const state = new SpanState(parent.segment, sampled, run);
      rememberState(span, state);
      return state;
    }
    if (sampled) {
      const run = runSetIn(parentContext) ?? runFromOutside(parentContext);
      const root = new SpanState(this.#newSegment(context.traceId), true, run);
      root.segment.root = root;
      rememberState(span, root);
      return root;
    }
    return undefined;
  }

  stateOf(span: object): SpanState | undefined {
    return rememberedState(span, this);
  }

  /** State of a span that ends now, counted once; `undefined` for one that is not sampled or whose start was not seen. */
  ended(span: ReadableSpan): SpanState | undefined {
    const state = rememberedState(span, this);
    if (state === undefined) {
      const { traceId, traceFlags } = span.spanContext();
      if ((traceFlags & TraceFlags.SAMPLED) !== 0) this.#open.doubt(traceId);
      return undefined;
    }
    if (!state.isSampled) return undefined;
    // A second copy of a span tells the same.
    if (state.isOver) return state;
    state.isOver = true;
    const { segment } = state;
    segment.open--;
    if (segment.isTold) {
      segment.ended = segment.ended.copy();
      segment.isTold = false;
    }
    segment.ended.add(span.spanContext().spanId);
    if (state.isLocalRoot) segment.rootEnded = true;
    if (!segment.rootEnded) return state;
    if (segment.isCertain) {
      state.end ??= new SpanEnd();
      state.end.receipt = segment.ended;
      state.end.stillOpen = segment.open;
      segment.isTold = true;
    }
    if (segment.isAtRest) this.#open.remove(segment);
    return state;
  }

  #parentOf(parent: SpanContext | undefined, parentContext: Context, traceId: string): SpanState | undefined {
    if (parent === undefined || parent.isRemote === true) return undefined;
    const span = trace.getSpan(parentContext);
    const state = span === undefined ? undefined : rememberedState(span, this);
    if (state?.segment.traceId === traceId) return state;
    // Frameworks wrap spans in objects of their own, or hand on ids only. A segment of its own for each such child would
    // vouch for itself alone, and nobody would miss it: it belongs to the segment of this trace that is open.
    return this.#open.newestOf(traceId)?.root;
  }

  #newSegment(traceId: string): Segment {
    this.#segments = (this.#segments + 1) >>> 0;
    const segment = new Segment(this, this.#processorId, this.#segments, traceId);
    this.#open.add(segment);
    return segment;
  }
}
