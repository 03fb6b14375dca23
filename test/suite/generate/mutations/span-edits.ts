import type { AttributeMap, AttributeValue } from '../../../../src/trace/attributes.ts';
import type { Span } from '../../../../src/trace/span.ts';

/** These spans changed, the others as they are. */
export function replaced(spans: readonly Span[], these: readonly Span[], by: (span: Span) => Span): Span[] {
  const chosen = new Set(these);
  return spans.map((span) => (chosen.has(span) ? by(span) : span));
}

export function without(spans: readonly Span[], these: readonly Span[]): Span[] {
  const chosen = new Set(these);
  return spans.filter((span) => !chosen.has(span));
}

/** Nothing hangs below them but they themselves: they can go without leaving orphans. */
export function areLeaves(these: readonly Span[], spans: readonly Span[]): boolean {
  const ids = new Set(these.map(({ spanId }) => spanId));
  return these.length > 0 && spans.every((span) => these.includes(span) || !ids.has(span.parentSpanId ?? ''));
}

export function withAttributes(span: Span, more: readonly (readonly [string, AttributeValue])[]): Span {
  return { ...span, attributes: new Map([...span.attributes, ...more]) };
}

/** Every text that holds one name holds the other. */
export function renamed(span: Span, from: string, to: string): Span {
  const attributes = new Map([...span.attributes].map(([key, value]) => [key, inText(value, from, to)]));
  return { ...span, name: span.name.replaceAll(from, to), attributes };
}

function inText(value: AttributeValue, from: string, to: string): AttributeValue {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (Array.isArray(value)) return value.map((member) => inText(member, from, to));
  if (value instanceof Map) {
    return new Map([...(value as AttributeMap)].map(([key, member]) => [key, inText(member, from, to)]));
  }
  return value;
}

/** As instrumentations mark a span that failed: status, error.type and an exception event. */
export function failed(span: Span): Span {
  const { attributes } = withAttributes(span, [['error.type', 'Error']]);
  const exception = { name: 'exception', timeUnixNano: span.startUnixNano, droppedAttributesCount: 0 };
  const event = { ...exception, attributes: new Map([['exception.type', 'Error']]) };
  return { ...span, attributes, status: { code: 'error', message: '' }, events: [...span.events, event] };
}

/** It shows one of the marks that failed() makes. */
export function isMarkedFailed({ status, attributes, events }: Span): boolean {
  return status.code === 'error' || attributes.has('error.type') || events.some(({ name }) => name === 'exception');
}

export function unmarked(span: Span): Span {
  const attributes = new Map(span.attributes);
  for (const key of ['error.type', 'otel_eval.tool.result_failed']) attributes.delete(key);
  const events = span.events.filter(({ name }) => name !== 'exception');
  return { ...span, attributes, events, status: { code: 'unset', message: '' } };
}

/** The same once more under ids of their own, each time a moment after it ended. */
export function again(these: readonly Span[], renames: readonly (readonly [string, string])[], times = 1): Span[] {
  const end = these.reduce((most, { endUnixNano = 0n }) => (endUnixNano > most ? endUnixNano : most), 0n);
  const start = these.reduce((least, { startUnixNano }) => (startUnixNano < least ? startUnixNano : least), end);
  return Array.from({ length: times }, (_, turn) => {
    const later = (end - start + 1_000n) * BigInt(turn + 1);
    const ids = new Map(these.map(({ spanId }, i) => [spanId, madeUpId(turn, i)]));
    return these.map((span) => ({
      ...renames.reduce((one, [from, to]) => renamed(one, from, `${to}${turn === 0 ? '' : turn}`), span),
      spanId: ids.get(span.spanId) ?? span.spanId,
      parentSpanId: ids.get(span.parentSpanId ?? '') ?? span.parentSpanId,
      startUnixNano: span.startUnixNano + later,
      endUnixNano: (span.endUnixNano ?? end) + later,
    }));
  }).flat();
}

function madeUpId(turn: number, place: number): string {
  return `dead${String(turn).padStart(4, '0')}${String(place + 1).padStart(8, '0')}`;
}

/** A span and all that hangs below it. */
export function subtreeOf(top: Span, spans: readonly Span[]): Span[] {
  const inside = new Set([top.spanId]);
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const { spanId, parentSpanId } of spans) if (inside.has(parentSpanId ?? '')) inside.add(spanId);
  }
  return spans.filter(({ spanId, traceId }) => inside.has(spanId) && traceId === top.traceId);
}

/** The first span, as they stand, whose parent is here. */
export function firstChild(spans: readonly Span[]): Span | undefined {
  const places = new Set(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  return spans.find(({ traceId, parentSpanId }) => places.has(`${traceId} ${parentSpanId}`));
}
