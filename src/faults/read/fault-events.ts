import type { Run } from '../../agent/run.ts';
import type { AttributeValue } from '../../trace/attributes.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span, SpanEvent } from '../../trace/span.ts';

/** A receipt or a piece of evidence, with the span that carries it. */
export interface FaultEvent {
  readonly span: Span;
  readonly attributes: SpanEvent['attributes'];
}

/** All receipts and evidence of a run by their name after the prefix: `fault.applied`, `evidence.effect`. */
export type FaultEvents = ReadonlyMap<string, readonly FaultEvent[]>;

const root = 'otel_eval.';
const prefixes = [ownAttributes.faultPrefix, ownAttributes.evidencePrefix];

export function faultEventsOf(run: Run): FaultEvents {
  const found = new Map<string, FaultEvent[]>();
  for (const { spans } of run.traces) {
    for (const span of spans) {
      for (const { name, attributes } of span.events) {
        if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
        const key = name.slice(root.length);
        const list = found.get(key);
        if (list === undefined) found.set(key, [{ span, attributes }]);
        else list.push({ span, attributes });
      }
    }
  }
  return found;
}

export function numberIn(event: FaultEvent, key: string): number | null {
  const value: AttributeValue | undefined = event.attributes.get(key);
  return typeof value === 'number' ? value : null;
}

export function wordIn(event: FaultEvent, key: string): string | null {
  const value = event.attributes.get(key);
  return typeof value === 'string' ? value : null;
}
