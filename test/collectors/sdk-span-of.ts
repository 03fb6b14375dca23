import type { SdkSpan } from '../../collectors/memory/sdk-span.ts';
import type { AttributeValue } from '../../src/trace/attributes.ts';
import type { Span } from '../../src/trace/span.ts';

const kinds = ['internal', 'server', 'client', 'producer', 'consumer'];
const statuses = ['unset', 'ok', 'error'];

/** A span as the SDK hands it to its exporter: the way back from what was read. */
export function sdkSpanOf(span: Span): SdkSpan {
  const contextOf = (spanId: string) => ({ traceId: span.traceId, spanId, traceFlags: 1 });
  return {
    name: span.name,
    kind: Math.max(0, kinds.indexOf(span.kind)),
    spanContext: () => contextOf(span.spanId),
    ...(span.parentSpanId === undefined ? {} : { parentSpanContext: contextOf(span.parentSpanId) }),
    startTime: hrTime(span.startUnixNano),
    endTime: hrTime(span.endUnixNano ?? 0n),
    ended: span.endUnixNano !== undefined,
    status: {
      code: statuses.indexOf(span.status.code),
      ...(span.status.message === undefined ? {} : { message: span.status.message }),
    },
    attributes: attributesOf(span.attributes),
    links: span.links.map((link) => ({
      context: { traceId: link.traceId, spanId: link.spanId, traceFlags: 1 },
      attributes: attributesOf(link.attributes),
    })),
    events: span.events.map((event) => ({
      name: event.name,
      time: hrTime(event.timeUnixNano ?? 0n),
      attributes: attributesOf(event.attributes),
    })),
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
    resource: { attributes: attributesOf(span.resource.attributes) },
    instrumentationScope: { name: span.scope.name, version: span.scope.version },
  } as unknown as SdkSpan;
}

function hrTime(nanoseconds: bigint): [number, number] {
  return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)];
}

function attributesOf(attributes: ReadonlyMap<string, AttributeValue>): Record<string, unknown> {
  return Object.fromEntries([...attributes].map(([key, value]) => [key, plain(value)]));
}

function plain(value: AttributeValue): unknown {
  if (value instanceof Map) return attributesOf(value);
  if (Array.isArray(value)) return value.map(plain);
  return value;
}
