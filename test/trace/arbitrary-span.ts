import fc from 'fast-check';
import type { Attributes, AttributeValue } from '../../src/trace/attributes.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import type { Resource, Scope, Span } from '../../src/trace/span.ts';
import { SpanRecord } from '../../src/trace/span-record.ts';

/** Well-formed texts of any characters. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom('chat', 'gpt-5-mini', 'ünï \u{1f600}', '{"a":"b\\n"}', '__proto__', ''),
);
const uint32: fc.Arbitrary<number> = fc.oneof(fc.constant(0), fc.nat(0xffff_ffff));
const traceId: fc.Arbitrary<string> = hex(16);
const spanId: fc.Arbitrary<string> = hex(8);
const time: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt(1_760_000_000_000_000_000n, 1_860_000_000_000_000_000n),
  fc.bigInt(0n, 2n ** 64n - 1n),
);

function hex(bytes: number): fc.Arbitrary<string> {
  return fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .filter((id) => id.some((byte) => byte !== 0))
    .map((id) => Buffer.from(id).toString('hex'));
}

const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }),
  fc.uint8Array({ maxLength: 20 }),
  fc.constant(null),
);

const value: fc.Arbitrary<AttributeValue> = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
  ),
})).value;

const key: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('gen_ai.operation.name', 'gen_ai.request.model', 'gen_ai.input.messages', 'a', ''),
  text,
);
const attributes: fc.Arbitrary<Attributes> = fc
  .array(fc.tuple(key, value), { maxLength: 8 })
  .map((pairs) => new Map(pairs));

const resource: fc.Arbitrary<Resource> = fc.record({ attributes, droppedAttributesCount: uint32 });
const scope: fc.Arbitrary<Scope> = fc.record({ name: text, version: text, attributes, droppedAttributesCount: uint32 });

/** Events as a decoder gives them: those without a time last. */
const events = fc
  .array(fc.record({ timeUnixNano: time, name: text, attributes, droppedAttributesCount: uint32 }), { maxLength: 3 })
  .map((list) => [
    ...list.filter((event) => event.timeUnixNano !== 0n),
    ...list.filter((event) => event.timeUnixNano === 0n),
  ]);

const links = fc.array(
  fc.record({ traceId, spanId, traceState: text, attributes, droppedAttributesCount: uint32, flags: uint32 }),
  { maxLength: 2 },
);

const members: fc.Arbitrary<Omit<Span, 'resource' | 'scope'>> = fc.record({
  traceId,
  spanId,
  parentSpanId: fc.option(spanId, { nil: undefined }),
  name: text,
  kind: fc.constantFrom('unspecified', 'internal', 'server', 'client', 'producer', 'consumer'),
  startUnixNano: time,
  endUnixNano: fc.option(
    time.filter((end) => end !== 0n),
    { nil: undefined },
  ),
  status: fc.record({ code: fc.constantFrom('unset', 'ok', 'error'), message: text }),
  attributes,
  events,
  links,
  traceState: text,
  flags: uint32,
  droppedAttributesCount: uint32,
  droppedEventsCount: uint32,
  droppedLinksCount: uint32,
});

/** Spans of a few resources and scopes, which they share. */
export const arbitrarySpans: fc.Arbitrary<Span[]> = fc
  .tuple(fc.array(resource, { minLength: 1, maxLength: 3 }), fc.array(scope, { minLength: 1, maxLength: 3 }))
  .chain(([resources, scopes]) =>
    fc.array(
      fc
        .tuple(members, fc.constantFrom(...resources), fc.constantFrom(...scopes))
        .map(([span, ofResource, ofScope]) => SpanRecord.of({ ...span, resource: ofResource, scope: ofScope })),
      { maxLength: 6 },
    ),
  );

/** Log records of one resource and scope. */
export const arbitraryLogs: fc.Arbitrary<LogRecord[]> = fc.tuple(resource, scope).chain(([ofResource, ofScope]) =>
  fc.array(
    fc
      .record({
        traceId: fc.oneof(traceId, fc.constant('')),
        spanId: fc.oneof(spanId, fc.constant('')),
        timeUnixNano: time,
        observedTimeUnixNano: time,
        eventName: text.filter((name) => name !== ''),
        severityNumber: fc.nat(24),
        severityText: text,
        body: value,
        attributes,
      })
      .map((record): LogRecord => ({ ...record, resource: ofResource, scope: ofScope })),
    { maxLength: 5 },
  ),
);
