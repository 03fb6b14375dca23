import type { Run } from '../agent/run.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import { isContentPlace, placesOf } from '../trace/privacy/span-places.ts';
import type { Span } from '../trace/span.ts';
import { spansOf } from './run-spans.ts';

/** Spans on which our instrumentation says by which mode it let them pass. */
export function stampedSpans(run: Run): readonly Span[] {
  return spansOf(run).filter(({ attributes }) => typeof attributes.get(ownAttributes.contentMode) === 'string');
}

/** Spans with content of which no root of their segment says by which mode they were let pass: of another process, say. */
export function unstampedContent(run: Run): readonly Span[] {
  const segmentOf = ({ attributes }: Span): unknown => attributes.get(ownAttributes.segment);
  const stamped = new Set(stampedSpans(run).map(segmentOf));
  return spansOf(run).filter((span) => !stamped.has(segmentOf(span)) && placesOf(span).some(isContentPlace));
}
