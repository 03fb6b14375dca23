import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeOtlpJson, encodeOtlpLogsJson } from '../../src/trace/encode-otlp-json.ts';
import { encodeOtlpLogsProtobuf, encodeOtlpProtobuf } from '../../src/trace/encode-otlp-protobuf.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import { SharedStrings } from '../../src/trace/otlp-reading.ts';
import { arbitraryLogs, arbitrarySpans } from './arbitrary-span.ts';
import { differing, differingLogs } from './same-as.ts';

// One for all runs, as a reader of many lines has it.
const shared = new SharedStrings();

test('OTLP/JSON: encode, then decode, gives the same spans', () => {
  fc.assert(
    fc.property(arbitrarySpans, (spans) => {
      const read = decodeOtlpJson(encodeOtlpJson(spans), { shared });
      expect(read.problems).toEqual([]);
      expect(differing(spans, read.spans)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test('OTLP/protobuf: encode, then decode, gives the same spans', () => {
  fc.assert(
    fc.property(arbitrarySpans, (spans) => {
      const read = decodeOtlpProtobuf(encodeOtlpProtobuf(spans), { shared });
      expect(read.problems).toEqual([]);
      expect(differing(spans, read.spans)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test('both codecs agree, and encode what they read as they read it', () => {
  fc.assert(
    fc.property(arbitrarySpans, (spans) => {
      const json = decodeOtlpJson(encodeOtlpJson(spans)).spans;
      const protobuf = decodeOtlpProtobuf(encodeOtlpProtobuf(spans)).spans;
      expect(encodeOtlpJson(protobuf)).toBe(encodeOtlpJson(json));
    }),
    { numRuns: 50 },
  );
});

test('log records too', () => {
  fc.assert(
    fc.property(arbitraryLogs, (logs) => {
      const json = decodeOtlpJson(encodeOtlpLogsJson(logs), { shared });
      const protobuf = decodeOtlpProtobuf(encodeOtlpLogsProtobuf(logs), { shared, signal: 'logs' });
      expect(differingLogs(logs, json.logs)).toEqual([]);
      expect(differingLogs(logs, protobuf.logs)).toEqual([]);
      expect([json.problems, protobuf.problems]).toEqual([[], []]);
    }),
    { numRuns: 50 },
  );
});

function onlyOurErrors(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!OtelEvalError.is(error)) throw error;
  }
}

test('random bytes, and spoilt messages, never throw anything but an OtelEvalError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      onlyOurErrors(() => decodeOtlpProtobuf(bytes));
      onlyOurErrors(() => decodeOtlpProtobuf(bytes, { signal: 'logs' }));
      onlyOurErrors(() => decodeOtlpJson(Buffer.from(bytes).toString('latin1')));
    }),
    { numRuns: 100 },
  );
  const spoil = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(arbitrarySpans, spoil, fc.nat(), (spans, changes, cut) => {
      const protobuf = encodeOtlpProtobuf(spans).slice();
      for (const [at, byte] of changes) protobuf[at % (protobuf.length || 1)] = byte;
      onlyOurErrors(() => decodeOtlpProtobuf(protobuf, { shared }));
      onlyOurErrors(() => decodeOtlpProtobuf(protobuf.subarray(0, cut % (protobuf.length + 1)), { shared }));
      const json = Buffer.from(encodeOtlpJson(spans));
      for (const [at, byte] of changes) json[at % json.length] = byte;
      onlyOurErrors(() => decodeOtlpJson(json.toString('utf8'), { shared }));
    }),
    { numRuns: 50 },
  );
});

const json: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 3 });

test('any JSON in the place of any part is named or refused, never a crash', () => {
  fc.assert(
    fc.property(json, json, json, json, (a, b, c, d) => {
      const texts = [
        a,
        { resourceSpans: a },
        { resourceSpans: [a, { resource: b, scopeSpans: c }] },
        { resourceSpans: [{ resource: { attributes: b }, scopeSpans: [{ scope: c, spans: [d] }] }] },
        {
          resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: a, attributes: b, traceId: c, severityNumber: d }] }] }],
        },
        {
          resourceSpans: [
            {
              scopeSpans: [
                {
                  spans: [
                    {
                      traceId: a,
                      spanId: b,
                      parentSpanId: c,
                      name: d,
                      kind: a,
                      startTimeUnixNano: b,
                      status: c,
                      flags: d,
                    },
                    {
                      traceId: 'a1'.repeat(16),
                      spanId: 'd0'.repeat(8),
                      attributes: [{ key: 'k', value: a }, b, { key: c, value: { intValue: d, arrayValue: a } }],
                      events: [b, { name: a, attributes: d, timeUnixNano: c }],
                      links: [c, { traceId: d }],
                      droppedAttributesCount: a,
                    },
                  ],
                },
              ],
            },
          ],
        },
      ];
      for (const document of texts) onlyOurErrors(() => decodeOtlpJson(JSON.stringify(document), { shared }));
    }),
    { numRuns: 50 },
  );
});
