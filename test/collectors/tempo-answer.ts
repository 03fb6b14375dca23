import type { AttributeValue } from '../../src/trace/attributes.ts';
import type { Span } from '../../src/trace/span.ts';
import type { Reply } from './replay-server.ts';

const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** These spans as Tempo's v2 JSON tells of them; none make "not found". */
export function tempoAnswer(spans: readonly Span[], envelope: Readonly<Record<string, string>> = {}): Reply {
  const trace = spans.length === 0 ? {} : { resourceSpans: spans.map(resourceSpans) };
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ trace, metrics: {}, ...envelope }),
  };
}

function resourceSpans(span: Span) {
  return {
    resource: { attributes: keyValues(span.resource.attributes) },
    scopeSpans: [
      {
        scope: { name: span.scope.name },
        spans: [
          {
            traceId: base64(span.traceId),
            spanId: base64(span.spanId),
            ...(span.parentSpanId === undefined ? {} : { parentSpanId: base64(span.parentSpanId) }),
            name: span.name,
            kind: `SPAN_KIND_${kinds.find((kind) => kind.toLowerCase() === span.kind)}`,
            startTimeUnixNano: String(span.startUnixNano),
            endTimeUnixNano: String(span.endUnixNano ?? 0n),
            attributes: keyValues(span.attributes),
            status: {},
          },
        ],
      },
    ],
  };
}

function keyValues(attributes: ReadonlyMap<string, AttributeValue>) {
  return [...attributes].map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) },
  }));
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
