import type { AttributeValue } from '../trace/attributes.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { Span } from '../trace/span.ts';
import { deltaIndices } from './projection/delta-indices.ts';

/** What the spans of a run say of one id that must be the same on all that carry it. */
export interface IdReading {
  /** Distinct values that are not empty, in order of appearance. */
  readonly values: readonly string[];
  /** Spans that carry it empty. */
  readonly empty: readonly Span[];
  /** Spans that carry another value than the first one. */
  readonly differing: readonly Span[];
}

/** A segment whose event indices are not 0, 1, 2 … each once. */
export interface IndexFault {
  readonly segment: string;
  /** Indices that stand on more than one span, ascending. */
  readonly repeated: readonly number[];
  /** How many indices below the highest one are missing, and the lowest of them. */
  readonly missing: number;
  readonly firstMissing: number | null;
  readonly spans: readonly Span[];
}

/** Reads the id `key` from every span that carries it. */
export function readId(spans: readonly Span[], key: string): IdReading {
  const values: string[] = [];
  const empty: Span[] = [];
  const differing: Span[] = [];
  for (const span of spans) {
    const value = span.attributes.get(key);
    if (value === undefined) continue;
    const text = idText(value);
    if (text === '') empty.push(span);
    else if (text !== values[0]) {
      if (values.length > 0) differing.push(span);
      if (!values.includes(text)) values.push(text);
    }
  }
  return { values, empty, differing };
}

function idText(value: AttributeValue): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

interface Segment {
  next: number;
  /** Spans whose index was not the next one when they came. */
  readonly others: { readonly index: number; readonly span: Span }[];
}

/**
 * Checks that event indices are unique and without gaps in each segment; spans without an index are not asked. Text deltas
 * on a span take indices too; where a limit of the SDK dropped some of them, nobody knows of which index a gap is.
 */
export function indexFaults(spans: readonly Span[]): readonly IndexFault[] {
  const segments = new Map<string, Segment>();
  for (const span of spans) {
    const index = span.attributes.get(ownAttributes.eventIndex);
    if (typeof index !== 'number') continue;
    const name = idText(span.attributes.get(ownAttributes.segment) ?? '');
    const segment: Segment = segments.get(name) ?? { next: 0, others: [] };
    if (segment.next === 0 && segment.others.length === 0) segments.set(name, segment);
    // Spans come in order of start, as the indices do: the usual case needs no sorting.
    if (index === segment.next) segment.next += 1;
    else segment.others.push({ index, span });
  }
  const faults = [...segments].flatMap(([name, segment]) => faultOf(name, segment) ?? []);
  return faults.length === 0 ? faults : faults.flatMap(({ segment }) => withDeltas(segment, spans, segments) ?? []);
}

/** Most runs have no text deltas, and most segments no gap: events are looked at where a gap is to be explained. */
function withDeltas(
  name: string,
  spans: readonly Span[],
  segments: ReadonlyMap<string, Segment>,
): IndexFault | undefined {
  const own = spans.filter(({ attributes }) => idText(attributes.get(ownAttributes.segment) ?? '') === name);
  const deltas = own.flatMap((span) => deltaIndices(span).map((index) => ({ index, span })));
  const { next = 0, others = [] } = segments.get(name) ?? {};
  const fault = faultOf(name, { next, others: [...others, ...deltas] });
  const isShortened = deltas.some(({ span }) => span.droppedEventsCount > 0);
  if (fault === undefined || !isShortened) return fault;
  return fault.repeated.length === 0 ? undefined : { ...fault, missing: 0, firstMissing: null };
}

function faultOf(name: string, { next, others }: Segment): IndexFault | undefined {
  const repeated: number[] = [];
  const guilty: Span[] = [];
  let missing = 0;
  let firstMissing: number | null = null;
  let expected = next;
  for (const { index, span } of others.toSorted((a, b) => a.index - b.index)) {
    if (index < expected) {
      repeated.push(index);
      guilty.push(span);
    } else if (index > expected) {
      firstMissing ??= expected;
      missing += index - expected;
      guilty.push(span);
    }
    expected = Math.max(expected, index + 1);
  }
  if (repeated.length === 0 && missing === 0) return undefined;
  return { segment: name, repeated, missing, firstMissing, spans: guilty };
}
