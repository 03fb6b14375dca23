import type { Attributes } from '../../trace/attributes.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span } from '../../trace/span.ts';

/** `otel_eval.event.index`, where it stands. */
export function eventIndexOf(attributes: Attributes): number | undefined {
  const index = attributes.get(ownAttributes.eventIndex);
  return typeof index === 'number' || typeof index === 'bigint' ? Number(index) : undefined;
}

/** Event indices of the text deltas on a span, in their order. */
export function deltaIndices(span: Span): readonly number[] {
  return span.events.flatMap(({ name, attributes }) =>
    name === ownAttributes.textDelta ? (eventIndexOf(attributes) ?? []) : [],
  );
}
