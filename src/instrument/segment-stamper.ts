import { type Context, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { OpenSegments } from './open-segments.ts';
import { rememberedState, rememberState } from './remembered-state.ts';
import { runFromOutside, runSetIn } from './run-context.ts';
import type { ReadableSpan, RunningSpan } from './sdk-shapes.ts';
import { type RunIdentity, Segment, SpanEnd, SpanState } from './segment.ts';

/** Knows to which segment each span belongs, and writes the receipts. */
export class SegmentStamper {
  readonly #open = new OpenSegments();
  readonly #processorId: string;
  #segments = 0;
  /** Siblings start in one context, which never changes: what it says is looked up for the first of them. */
  #context: Context | undefined = undefined;
  #spanOfContext: SpanState | undefined = undefined;
  #runOfContext: RunIdentity | undefined = undefined;

  /** `processorId`: 8 random hex digits; worker threads share a process id. */
  constructor(processorId: string) {
    this.#processorId = processorId;
  }

  /** State of a span that starts; `undefined` for one that nothing is stamped on. */
  started(span: RunningSpan, parentContext: Context): SpanState | undefined {
    const context = span.spanContext();
    const sampled = (context.traceFlags & TraceFlags.SAMPLED) !== 0;
    if (parentContext !== this.#context) this.#read(parentContext);
    const parent = this.#parentOf(span.parentSpanContext, context.traceId);
    if (parent !== undefined) {
      const run = this.#runOfContext ?? parent.run;
      if (parent.segment.isAtRest) this.#open.add(parent.segment);
      const state = new SpanState(parent.segment, sampled, run);
      rememberState(span, state);
      return state;
    }
    if (sampled) {
      const run = this.#runOfContext ?? runFromOutside(parentContext);
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
    if (state === this.#spanOfContext) this.#forget();
    const { segment } = state;
    segment.open--;
    segment.ended.add(span.spanContext().spanId);
    if (state.isLocalRoot) segment.rootEnded = true;
    if (!segment.rootEnded) return state;
    if (segment.isCertain) {
      state.end ??= new SpanEnd();
      state.end.receipt = segment.ended.receipt(segment.open);
    }
    if (segment.isAtRest) this.#open.remove(segment);
    return state;
  }

  #read(context: Context): void {
    this.#context = undefined;
    const span = trace.getSpan(context);
    this.#spanOfContext = span === undefined ? undefined : rememberedState(span, this);
    this.#runOfContext = runSetIn(context);
    this.#context = context;
  }

  /** A context holds on to its span, and to all that is on it: not longer than the span runs. */
  #forget(): void {
    this.#context = undefined;
    this.#spanOfContext = undefined;
  }

  #parentOf(parent: SpanContext | undefined, traceId: string): SpanState | undefined {
    if (parent === undefined || parent.isRemote === true) return undefined;
    const state = this.#spanOfContext;
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
