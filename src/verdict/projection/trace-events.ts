import type { Run, Step } from '../../agent/run.ts';
import type { Attributes } from '../../trace/attributes.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span } from '../../trace/span.ts';
import { spansOf } from '../run-spans.ts';
import { deltaIndices, eventIndexOf as indexOf } from './delta-indices.ts';

/** One event of a run as its trace tells it: a span, or a text delta on a span. */
export interface TraceEvent {
  readonly key: string;
  readonly index: number;
  readonly span: Span;
  readonly isDelta: boolean;
  /** `model` and `tool` where the trace says so, `text_delta`; else it is not known better. */
  readonly event: 'model' | 'tool' | 'text_delta' | undefined;
  /** A step of the run or a text delta; a projection may leave out spans that are neither (HTTP, database). */
  readonly isStep: boolean;
}

/** All events of a run that carry an index, in the order of the trace. */
export interface TraceEvents {
  readonly events: readonly TraceEvent[];
  readonly byKey: ReadonlyMap<string, TraceEvent>;
  readonly bySpan: ReadonlyMap<string, TraceEvent>;
  readonly segments: readonly string[];
  /** Steps that carry no index. */
  readonly unstamped: readonly Span[];
  /** Spans of which a limit of the SDK has dropped events. */
  readonly shortened: readonly Span[];
}

/** Segment and index together: indices start anew in each segment. */
export function eventKey(segment: string, index: number): string {
  return `${segment}#${index}`;
}

export function traceEvents(run: Run): TraceEvents {
  const steps = stepsBySpan(run.steps);
  const spans = spansOf(run).filter(({ attributes }) => isOfRun(attributes, run));
  const events = spans.flatMap((span) => eventsOf(span, steps));
  return {
    events,
    byKey: new Map(events.map((event) => [event.key, event])),
    bySpan: new Map(events.filter(({ isDelta }) => !isDelta).map((event) => [event.span.spanId, event])),
    segments: [...new Set(spans.flatMap(({ attributes }) => segmentOf(attributes) ?? []))],
    unstamped: spans.filter((span) => steps.has(span) && indexOf(span.attributes) === undefined),
    shortened: spans.filter(({ droppedEventsCount }) => droppedEventsCount > 0),
  };
}

/** A trace may be shared by several runs. */
function isOfRun(attributes: Attributes, { runId }: Run): boolean {
  const own = attributes.get(ownAttributes.runId);
  return own === undefined || own === runId;
}

function eventsOf(span: Span, steps: ReadonlyMap<Span, Step>): readonly TraceEvent[] {
  const segment = segmentOf(span.attributes);
  if (segment === undefined) return [];
  const step = steps.get(span);
  const event = step?.kind === 'model' || step?.kind === 'tool' ? step.kind : undefined;
  const index = indexOf(span.attributes);
  const own =
    index === undefined
      ? []
      : [{ key: eventKey(segment, index), index, span, isDelta: false, event, isStep: step !== undefined }];
  return [...own, ...deltasOf(span, segment)];
}

function deltasOf(span: Span, segment: string): readonly TraceEvent[] {
  return deltaIndices(span).map((index) => ({
    key: eventKey(segment, index),
    index,
    span,
    isDelta: true,
    event: 'text_delta',
    isStep: true,
  }));
}

/** The first span of each step stands for it; of a call the others are layers. */
function stepsBySpan(steps: readonly Step[]): ReadonlyMap<Span, Step> {
  const found = new Map<Span, Step>();
  for (const step of steps) {
    const [span] = step.spans;
    if (step.kind !== 'other' && span !== undefined && found.get(span)?.kind !== 'tool') found.set(span, step);
  }
  return found;
}

function segmentOf(attributes: Attributes): string | undefined {
  const segment = attributes.get(ownAttributes.segment);
  return typeof segment === 'string' ? segment : undefined;
}
