import { expect, test } from 'vitest';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';

const traceId = 'a1'.repeat(16);

function document(...spans: object[]): string {
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

test('reads an ordinary document to a trace', () => {
  const { spans, problems } = decodeOtlpJson(
    document(
      { traceId, spanId: 'd0d0d0d0d0d00001', name: 'root', kind: 1, startTimeUnixNano: '1760000000123456789' },
      { traceId, spanId: 'd0d0d0d0d0d00002', parentSpanId: 'd0d0d0d0d0d00001', name: 'child' },
    ),
  );
  expect(problems).toEqual([]);
  const trace = buildTraces(spans).get(traceId);
  expect(trace?.roots.map((span) => span.name)).toEqual(['root']);
  expect(trace?.childrenOf('d0d0d0d0d0d00001').map((span) => span.name)).toEqual(['child']);
  expect(trace?.spansById.get('d0d0d0d0d0d00001')?.startUnixNano).toBe(1760000000123456789n);
});

test('names a span with an unreadable id and keeps its siblings', () => {
  const { spans, problems } = decodeOtlpJson(
    document({ traceId: 'a1a1', spanId: 'd0d0d0d0d0d00001' }, { traceId, spanId: 'd0d0d0d0d0d00002' }),
    { line: 3 },
  );
  expect(spans.map((span) => span.spanId)).toEqual(['d0d0d0d0d0d00002']);
  expect(problems).toEqual([
    {
      code: 'bad-trace-id',
      message: 'expected 32 hex digits, or base64 of 16 bytes, got 4 hex digits',
      at: 'line 3, resourceSpans[0].scopeSpans[0].spans[0].traceId',
    },
  ]);
});
