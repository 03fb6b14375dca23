import { context, type Span, trace } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { oldestState } from './remembered-state.ts';
import { runSpanIn } from './run-span.ts';
import type { SpanState } from './segment.ts';

/** Where an event of a run stands, as the trace has it: what a row of another view of the run is joined by. */
export interface EventPlace {
  /** Absent where no run is known: outside of `agentRun`, and nobody has set one. */
  readonly runId?: string;
  readonly conversationId?: string;
  /** 16 hex digits. */
  readonly segment: string;
  /** From 0, in the order in which spans started and text deltas came. */
  readonly eventIndex: number;
  readonly traceId: string;
  readonly spanId: string;
}

/**
 * Where a span stands among the events of its run, for the app's own live stream, table or inspector. `undefined` where
 * it is not sampled, or no `agentSpanProcessor` has seen it start.
 *
 * @param span default: the active one
 *
 * @example
 * stream.send({ kind: 'live', event: 'tool', ...eventPlace() });
 */
export function eventPlace(span: Span | undefined = trace.getActiveSpan()): EventPlace | undefined {
  try {
    const state = span && oldestState(span);
    return span === undefined || state === undefined || !state.isSampled
      ? undefined
      : placeOf(span, state, state.index);
  } catch {
    return undefined;
  }
}

/**
 * One piece of streamed text: an event on the span of the run, with the next event index, and no span of its own. Nothing
 * of the text is recorded. Tells where it stands, as `eventPlace` does. The SDK keeps 128 events a span unless it is told
 * otherwise (`OTEL_SPAN_EVENT_COUNT_LIMIT`, `spanLimits.eventCountLimit`).
 *
 * @param span default: that of the `agentRun` around, else the active one
 *
 * @example
 * for await (const text of stream) send({ kind: 'live', event: 'text_delta', ...textDelta(), text });
 */
export function textDelta(
  span: Span | undefined = runSpanIn(context.active()) ?? trace.getActiveSpan(),
): EventPlace | undefined {
  try {
    const state = span && oldestState(span);
    if (span === undefined || state === undefined || !state.isSampled || !span.isRecording()) return undefined;
    const index = state.segment.started++;
    span.addEvent(ownAttributes.textDelta, { [ownAttributes.eventIndex]: index });
    return placeOf(span, state, index);
  } catch {
    return undefined;
  }
}

function placeOf(span: Span, { run, segment }: SpanState, eventIndex: number): EventPlace {
  const { traceId, spanId } = span.spanContext();
  return {
    ...(run === undefined ? {} : { runId: run.runId }),
    ...(run?.conversationId === undefined ? {} : { conversationId: run.conversationId }),
    segment: segment.id,
    eventIndex,
    traceId,
    spanId,
  };
}
