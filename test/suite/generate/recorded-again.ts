import type { AttributeValue } from '../../../src/trace/attributes.ts';
import type { Span } from '../../../src/trace/span.ts';
import type { Rows } from './outcomes.ts';

const dayNano = 86_400_000_000_000n;
/** Half as slow again. */
const slower = (nanos: bigint): bigint => (nanos * 3n) / 2n;

/** The same run on another day: other ids and times, a slower machine, a third more tokens. */
export function recordedAgain({ spans, logs }: Rows): Rows {
  const start = spans.reduce(
    (least, { startUnixNano }) => (startUnixNano < least ? startUnixNano : least),
    spans[0]?.startUnixNano ?? 0n,
  );
  const later = (time: bigint): bigint => start + dayNano + slower(time - start);
  const renewed = spans.map(
    (span): Span => ({
      ...span,
      traceId: otherId(span.traceId),
      spanId: otherId(span.spanId),
      parentSpanId: span.parentSpanId === undefined ? undefined : otherId(span.parentSpanId),
      startUnixNano: later(span.startUnixNano),
      endUnixNano: span.endUnixNano === undefined ? undefined : later(span.endUnixNano),
      attributes: new Map([...span.attributes].map(([key, value]) => [key, moreTokens(key, value)])),
      events: span.events.map((event) => ({ ...event, timeUnixNano: later(event.timeUnixNano) })),
      links: span.links.map((link) => ({ ...link, traceId: otherId(link.traceId), spanId: otherId(link.spanId) })),
    }),
  );
  const renewedLogs = logs.map((log) => ({
    ...log,
    traceId: otherId(log.traceId),
    spanId: otherId(log.spanId),
    timeUnixNano: later(log.timeUnixNano),
  }));
  return { spans: renewed, logs: renewedLogs };
}

function otherId(id: string): string {
  return [...id].map((digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join('');
}

function moreTokens(key: string, value: AttributeValue): AttributeValue {
  if (!/usage|token_count/.test(key)) return value;
  if (typeof value === 'number') return Math.round(value * 1.3);
  return typeof value === 'bigint' ? (value * 13n) / 10n : value;
}
