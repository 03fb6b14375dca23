import { type Context, createContextKey } from '@opentelemetry/api';
import { displayName } from '../trace/display-name.ts';
import type { StraySpan } from './recorded-run.ts';

/** What is used of a span of the SDK, of either line. */
export interface RecordableSpan {
  readonly name: string;
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/** One call of `record`. */
export class Recording {
  readonly traceIds: Set<string> = new Set();
  readonly open: Map<string, RecordableSpan> = new Map();
  readonly others: StraySpan[] = [];
  over = false;
}

/** Stands in the context of everything that a recording calls; tests side by side each have their own. */
export const recordingKey: symbol = createContextKey('otel-eval recording');

/** Where the spans go that a recording saw. */
export interface SpanStore<Span> {
  onStart(span: Span): void;
  onEnd(span: Span): void;
}

/**
 * Tells recordings apart: a span belongs to the recording in whose context it started, else to that of its trace. Spans of
 * no recording are told to those that were under way, and are not kept.
 */
export class RecordingProcessor<Span extends RecordableSpan> {
  readonly #store: SpanStore<Span>;
  readonly #byTrace = new Map<string, Recording>();
  readonly #underWay = new Set<Recording>();
  readonly #leaked: StraySpan[] = [];

  constructor(store: SpanStore<Span>) {
    this.#store = store;
  }

  begin(recording: Recording): void {
    this.#underWay.add(recording);
  }

  end(recording: Recording): void {
    this.#underWay.delete(recording);
    recording.over = true;
  }

  onStart(span: Span, parentContext: Context): void {
    const { traceId, spanId } = span.spanContext();
    const recording = (parentContext.getValue(recordingKey) as Recording | undefined) ?? this.#byTrace.get(traceId);
    if (recording === undefined) return;
    recording.traceIds.add(traceId);
    this.#byTrace.set(traceId, recording);
    recording.open.set(spanId, span);
    if (recording.over) this.#leaked.push(strayOf(span));
    else this.#store.onStart(span);
  }

  onEnd(span: Span): void {
    const { traceId, spanId } = span.spanContext();
    const recording = this.#byTrace.get(traceId);
    if (recording === undefined) {
      for (const each of this.#underWay) each.others.push(strayOf(span));
      return;
    }
    recording.open.delete(spanId);
    if (!recording.over) this.#store.onEnd(span);
    else if (!this.#leaked.some((stray) => stray.spanId === spanId)) this.#leaked.push(strayOf(span));
  }

  /** Spans that started or ended after their recording was over, and those that never ended. */
  leaked(): readonly StraySpan[] {
    const open = [...new Set(this.#byTrace.values())]
      .filter(({ over }) => over)
      .flatMap((each) => [...each.open.values()]);
    const known = new Set(this.#leaked.map(({ spanId }) => spanId));
    return [...this.#leaked, ...open.map(strayOf).filter(({ spanId }) => !known.has(spanId))];
  }

  reset(): void {
    for (const [traceId, { over }] of this.#byTrace) if (over) this.#byTrace.delete(traceId);
    this.#leaked.splice(0);
  }
}

export function strayOf(span: RecordableSpan): StraySpan {
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId, name: displayName(span.name) };
}
