import type { Attributes, AttributeValue, HrTime, SpanContext } from '@opentelemetry/api';
import type { ReadableSpan, ResourceLike, ScopeLike } from '../instrument/sdk-shapes.ts';

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json };

const remoteKnown = 0x100;
const remote = 0x200;

/** The body of an OTLP/HTTP request in its JSON form. */
export function otlpRequest(spans: readonly ReadableSpan[]): string {
  const byResource = new Map<ResourceLike, Map<string, { readonly scope: ScopeLike; readonly spans: Json[] }>>();
  for (const span of spans) {
    const scope = span.instrumentationScope;
    const scopes = byResource.get(span.resource) ?? new Map();
    byResource.set(span.resource, scopes);
    const key = `${scope.name}@${scope.version ?? ''}:${scope.schemaUrl ?? ''}`;
    const group = scopes.get(key) ?? { scope, spans: [] };
    scopes.set(key, group);
    group.spans.push(spanJson(span));
  }
  const resourceSpans = [...byResource].map(([resource, scopes]) => ({
    resource: { attributes: attributesJson(resource.attributes) },
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
    scopeSpans: [...scopes.values()].map(({ scope, spans: of }) => ({ scope: scopeJson(scope), spans: of })),
  }));
  return JSON.stringify({ resourceSpans });
}

function scopeJson({ name, version, attributes }: ScopeLike): Json {
  return { name, version, ...(attributes === undefined ? {} : { attributes: attributesJson(attributes) }) };
}

function spanJson(span: ReadableSpan): Json {
  const own = span.spanContext();
  const parent = span.parentSpanContext;
  return {
    traceId: own.traceId,
    spanId: own.spanId,
    parentSpanId: parent?.spanId,
    name: span.name,
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributesJson(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    events: span.events.map(({ name, time, attributes, droppedAttributesCount }) => ({
      name,
      timeUnixNano: nanoseconds(time),
      attributes: attributesJson(attributes ?? {}),
      droppedAttributesCount: droppedAttributesCount ?? 0,
    })),
    droppedEventsCount: span.droppedEventsCount,
    status: { code: span.status.code, message: span.status.message },
    links: span.links.map(({ context, attributes, droppedAttributesCount }) => ({
      traceId: context.traceId,
      spanId: context.spanId,
      attributes: attributesJson(attributes ?? {}),
      droppedAttributesCount: droppedAttributesCount ?? 0,
      flags: flags(context, context.isRemote),
    })),
    droppedLinksCount: span.droppedLinksCount,
    flags: flags(own, parent?.isRemote),
  };
}

function flags({ traceFlags }: SpanContext, isRemote: boolean | undefined): number {
  return (traceFlags & 0xff) | remoteKnown | (isRemote === true ? remote : 0);
}

function nanoseconds([seconds, nanos]: HrTime): string {
  return (BigInt(seconds) * 1_000_000_000n + BigInt(nanos)).toString();
}

function attributesJson(attributes: Attributes): Json {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }));
}

function valueJson(value: AttributeValue | null | undefined): Json {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => valueJson(item)) } };
  if (typeof value !== 'object' || value === null) return {};
  const bytes: unknown = value;
  if (bytes instanceof Uint8Array) return { bytesValue: Buffer.from(bytes).toString('base64') };
  const members = Object.entries(value as Readonly<Record<string, AttributeValue>>);
  return { kvlistValue: { values: members.map(([key, item]) => ({ key, value: valueJson(item) })) } };
}
