import { type Context, context } from '@opentelemetry/api';
import { displayName } from '../trace/display-name.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { StraySpan } from './recorded-run.ts';
import type { Recording } from './recording.ts';

/** What is used of a span of the SDK, of either line. */
export interface RecordableSpan {
  readonly name: string;
  readonly parentSpanContext?: { readonly spanId: string } | undefined;
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/**
 * Tells recordings apart: a span belongs to the recording in whose context it started (the one it was given, or the active one), else to that of its parent, else to
 * the only one that its trace belongs to. Spans of no recording are told to those that were under way, and are not kept.
 */
export class RecordingProcessor<Span extends RecordableSpan> {
  /** Holds the recording in the context of everything that it calls; tests side by side each have their own. */
  readonly key: symbol = Symbol('otel-eval recording');
  /** By span, open and ended. */
  readonly #bySpan = new Map<string, Recording<Span>>();
  readonly #byTrace = new Map<string, Set<Recording<Span>>>();
  readonly #underWay = new Set<Recording<Span>>();
  #alone: Recording<Span> | undefined;
  readonly #leaked: StraySpan[] = [];

  /**
   * `alone`: contexts are not kept here, so everything that starts before its end is its own, and nothing may be recorded
   * beside it.
   */
  begin(recording: Recording<Span>, alone: boolean): void {
    if (alone && this.#underWay.size > 0) {
      throw new OtelEvalError(
        'OTEL_EVAL_USAGE',
        'expected one recording at a time, since no context manager is registered; register the tracer provider with provider.register(), which sets one',
      );
    }
    this.#alone = alone ? recording : undefined;
    this.#underWay.add(recording);
  }

  end(recording: Recording<Span>): void {
    this.#alone = undefined;
    this.#underWay.delete(recording);
    recording.over = true;
  }

  onStart(span: Span, parentContext: Context): void {
    const recording = this.#in(parentContext) ?? this.#in(context.active()) ?? this.#recordingOf(span);
    if (recording === undefined) return;
    const { traceId } = span.spanContext();
    this.#bySpan.set(keyOf(span), recording);
    const ofTrace = this.#byTrace.get(traceId) ?? new Set();
    this.#byTrace.set(traceId, ofTrace.add(recording));
    if (recording.over) this.#leaked.push(strayOf(span, recording.name));
    recording.started(span);
  }

  onEnd(span: Span): void {
    const recording = this.#bySpan.get(keyOf(span));
    if (recording === undefined) {
      for (const each of this.#underWay) each.others.push(strayOf(span, null));
      return;
    }
    if (recording.over) this.#leak(span, recording.name);
    recording.ended(span);
  }

  #leak(span: Span, name: string): void {
    const { spanId } = span.spanContext();
    if (!this.#leaked.some((stray) => stray.spanId === spanId)) this.#leaked.push(strayOf(span, name));
  }

  #in(place: Context): Recording<Span> | undefined {
    return place.getValue(this.key) as Recording<Span> | undefined;
  }

  /** Where the app lost the context on its way: by the parent, or by the trace where that tells. */
  #recordingOf(span: Span): Recording<Span> | undefined {
    if (this.#alone !== undefined) return this.#alone;
    const { traceId } = span.spanContext();
    const ofParent = this.#bySpan.get(`${traceId} ${span.parentSpanContext?.spanId ?? ''}`);
    if (ofParent !== undefined) return ofParent;
    const [only, ...others] = this.#byTrace.get(traceId) ?? [];
    return others.length === 0 ? only : undefined;
  }

  /** Spans that started or ended after their recording was over, and those that never ended. */
  leaked(): readonly StraySpan[] {
    const open = [...new Set(this.#bySpan.values())]
      .filter(({ over }) => over)
      .flatMap((each) => [...each.open.values()].map((span) => strayOf(span, each.name)));
    const known = new Set(this.#leaked.map(({ spanId }) => spanId));
    return [...this.#leaked, ...open.filter(({ spanId }) => !known.has(spanId))];
  }

  /** Forgets recordings that are over; those under way go on. */
  reset(): void {
    for (const [key, { over }] of this.#bySpan) if (over) this.#bySpan.delete(key);
    for (const [traceId, recordings] of this.#byTrace) {
      for (const each of recordings) if (each.over) recordings.delete(each);
      if (recordings.size === 0) this.#byTrace.delete(traceId);
    }
    this.#leaked.splice(0);
  }
}

function keyOf(span: RecordableSpan): string {
  const { traceId, spanId } = span.spanContext();
  return `${traceId} ${spanId}`;
}

export function strayOf(span: RecordableSpan, recording: string | null): StraySpan {
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId, name: displayName(span.name), recording };
}
