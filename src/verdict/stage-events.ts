import type { Attributes } from '../trace/attributes.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { Span } from '../trace/span.ts';
import type { View } from './assertion.ts';
import { spansOf } from './run-spans.ts';

/** What a stage left behind: `otel_eval.evidence.approval.granted`, or `otel_eval.evidence.approval` whose `stage` is `granted`. */
export interface StageEvent {
  /** Behind the family: `granted`. */
  readonly stage: string;
  readonly span: Span;
  readonly attributes: Attributes;
  readonly timeUnixNano: bigint;
}

/** The evidence of one family of stages (`approval`), in order of time. */
export function stageEvents({ run }: View, family: string): readonly StageEvent[] {
  const name = `${ownAttributes.evidencePrefix}${family}`;
  const found = spansOf(run).flatMap((span) =>
    span.events.flatMap((event) => {
      const stage = event.name === name ? event.attributes.get('stage') : stageIn(event.name, name);
      const { attributes, timeUnixNano } = event;
      return typeof stage === 'string' ? [{ stage, span, attributes, timeUnixNano }] : [];
    }),
  );
  return found.toSorted((a, b) => (a.timeUnixNano < b.timeUnixNano ? -1 : a.timeUnixNano > b.timeUnixNano ? 1 : 0));
}

/**
 * How far apart clocks may put what happened in this order: spans of JavaScript start at a whole millisecond, and the
 * times of their events are counted from there.
 */
export const clockNanos = 2_000_000n;

/** Whether one event came before another: by time, and where clocks do not tell, by the order in which their spans started. */
export function cameBefore(one: StageEvent, other: StageEvent): boolean {
  const apart = other.timeUnixNano - one.timeUnixNano;
  if (apart > clockNanos || apart < -clockNanos) return apart > 0n;
  const [first, second] = [placeOf(one), placeOf(other)];
  if (first === undefined || second === undefined || first.segment !== second.segment) return apart > 0n;
  return first.index === second.index ? apart > 0n : first.index < second.index;
}

function placeOf({ span: { attributes } }: StageEvent): { segment: unknown; index: number } | undefined {
  const index = attributes.get(ownAttributes.eventIndex);
  return typeof index === 'number' ? { segment: attributes.get(ownAttributes.segment), index } : undefined;
}

function stageIn(eventName: string, family: string): string | undefined {
  return eventName.startsWith(`${family}.`) ? eventName.slice(family.length + 1) : undefined;
}

/** A text that an event carries; `undefined` where it does not. */
export function textOf({ attributes }: StageEvent, key: string): string | undefined {
  const value = attributes.get(key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Finds the nearest span at or above another one that is wanted. */
export function nearestAbove({ run }: View, isWanted: (span: Span) => boolean): (from: Span) => Span | undefined {
  const traces = new Map(run.traces.map((trace) => [trace.traceId, trace]));
  return (from) => {
    const seen = new Set<Span>();
    for (let here: Span | undefined = from; here !== undefined && !seen.has(here); ) {
      if (isWanted(here)) return here;
      seen.add(here);
      here = here.parentSpanId === undefined ? undefined : traces.get(here.traceId)?.spansById.get(here.parentSpanId);
    }
    return undefined;
  };
}
