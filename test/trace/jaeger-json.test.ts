import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../src/trace/exact-json.ts';
import { decodeJaegerObject } from '../../src/trace/jaeger-json.ts';
import type { OtlpBatch } from '../../src/trace/otlp-reading.ts';
import type { Span } from '../../src/trace/span.ts';

const traceID = 'a1'.repeat(16);

function decode(document: unknown): OtlpBatch {
  return decodeJaegerObject(parseExactJson(typeof document === 'string' ? document : JSON.stringify(document)));
}

function traceOf(...spans: readonly object[]): object {
  return {
    traceID,
    spans: spans.map((span) => ({
      traceID,
      processID: 'p1',
      operationName: 'op',
      startTime: 1_000_000,
      duration: 5,
      ...span,
    })),
    processes: { p1: { serviceName: 'shop', tags: [{ key: 'host.cpus', type: 'int64', value: 4 }] } },
  };
}

function only(batch: OtlpBatch): Span {
  expect(batch.problems).toEqual([]);
  expect(batch.spans.length).toBe(1);
  return batch.spans[0] as Span;
}

const tag = (key: string, type: string, value: unknown): object => ({ key, type, value });

describe('Jaeger JSON', () => {
  test('a span is mapped back to OpenTelemetry', () => {
    const span = only(
      decode({
        data: [
          traceOf({
            spanID: 'b1b1b1b1b1b1b1b1',
            operationName: 'POST /refund',
            startTime: 1_760_000_000_123_456,
            duration: 789,
            flags: 1,
            references: [{ refType: 'CHILD_OF', traceID, spanID: 'b0b0b0b0b0b0b0b0' }],
            tags: [
              tag('span.kind', 'string', 'server'),
              tag('internal.span.format', 'string', 'otlp'),
              tag('otel.scope.name', 'string', 'http'),
              tag('otel.scope.version', 'string', '1.2'),
              tag('otel.status_code', 'string', 'ERROR'),
              tag('otel.status_description', 'string', 'went wrong'),
              tag('error', 'bool', true),
              tag('w3c.tracestate', 'string', 'a=b'),
              tag('kept', 'string', 'yes'),
            ],
            logs: [
              {
                timestamp: 1_760_000_000_123_500,
                fields: [tag('event', 'string', 'exception'), tag('exception.type', 'string', 'E')],
              },
              { timestamp: 1_760_000_000_123_501, fields: [tag('message', 'string', 'old'), tag('n', 'int64', 1)] },
              { timestamp: 1_760_000_000_123_502, fields: [tag('n', 'int64', 2)] },
            ],
          }),
        ],
      }),
    );
    expect(span).toMatchObject({
      traceId: traceID,
      spanId: 'b1b1b1b1b1b1b1b1',
      parentSpanId: 'b0b0b0b0b0b0b0b0',
      name: 'POST /refund',
      kind: 'server',
      startUnixNano: 1_760_000_000_123_456_000n,
      endUnixNano: 1_760_000_000_124_245_000n,
      status: { code: 'error', message: 'went wrong' },
      traceState: 'a=b',
      flags: 1,
      links: [],
    });
    expect([...span.attributes]).toEqual([['kept', 'yes']]);
    expect([span.scope.name, span.scope.version]).toEqual(['http', '1.2']);
    expect([...span.resource.attributes]).toEqual([
      ['service.name', 'shop'],
      ['host.cpus', 4],
    ]);
    expect(span.events.map(({ name, attributes }) => [name, ...attributes])).toEqual([
      ['exception', ['exception.type', 'E']],
      ['old', ['n', 1]],
      ['', ['n', 2]],
    ]);
  });

  test.each([
    [
      'the first CHILD_OF into this trace',
      [
        ['FOLLOWS_FROM', traceID, '2'],
        ['CHILD_OF', 'ff', '3'],
        ['CHILD_OF', traceID, '4'],
        ['CHILD_OF', traceID, '5'],
      ],
      '4',
      ['2', '3', '5'],
    ],
    [
      'without one the first FOLLOWS_FROM',
      [
        ['FOLLOWS_FROM', 'ff', '2'],
        ['FOLLOWS_FROM', traceID, '3'],
      ],
      '3',
      ['2'],
    ],
    ['none where all point elsewhere', [['CHILD_OF', 'ff', '2']], undefined, ['2']],
  ] as const)('the parent is %s', (_what, references, parent, links) => {
    const span = only(
      decode(
        traceOf({
          spanID: '1',
          references: references.map(([refType, trace, spanID]) => ({ refType, traceID: trace, spanID })),
        }),
      ),
    );
    const id = (digit: string): string => digit.padStart(16, '0');
    expect(span.parentSpanId).toBe(parent === undefined ? undefined : id(parent));
    expect(span.links.map((link) => link.spanId)).toEqual(links.map(id));
  });

  test.each([
    [[tag('error', 'bool', true)], 'error'],
    [[tag('error', 'bool', 'true')], 'error'],
    [[tag('error', 'string', 'true')], 'error'],
    [[tag('error', 'bool', false)], 'unset'],
    [[tag('error', 'string', 'time-out')], 'unset'],
    [[tag('otel.status_code', 'string', 'OK'), tag('error', 'bool', true)], 'ok'],
    [[tag('otel.status_code', 'string', 'ERROR')], 'error'],
    [[], 'unset'],
  ])('status of %j is %s', (tags, code) => {
    expect(only(decode(traceOf({ spanID: '1', tags }))).status.code).toBe(code);
  });

  test('integers keep their digits, in the API form and in that of Elasticsearch', () => {
    const api = traceOf({
      spanID: '1',
      tags: [tag('a', 'int64', '9223372036854775222'), tag('b', 'int64', 12), tag('c', 'binary', 'AAAwOQ==')],
    });
    const text = JSON.stringify(api).replace(
      '"b","type":"int64","value":12',
      '"b","type":"int64","value":9007199254740993',
    );
    expect([...only(decode(text)).attributes]).toEqual([
      ['a', 9_223_372_036_854_775_222n],
      ['b', 9_007_199_254_740_993n],
      ['c', new Uint8Array([0, 0, 48, 57])],
    ]);
    const stored = {
      traceID: 'b1',
      spanID: '1',
      operationName: 'op',
      startTime: 1,
      duration: 1,
      tags: [
        tag('i', 'int64', '23456'),
        tag('f', 'float64', '72.5'),
        tag('b', 'bool', 'false'),
        tag('x', 'binary', '00003039'),
        tag('n', 'float64', 'NaN'),
      ],
      tag: { 'http@method': 'GET' },
      process: { serviceName: 'shop', tag: { 'host@name': 'h' } },
    };
    const span = only(decode(stored));
    expect([...span.attributes]).toEqual([
      ['i', 23_456],
      ['f', 72.5],
      ['b', false],
      ['x', new Uint8Array([0, 0, 48, 57])],
      ['n', Number.NaN],
      ['http.method', 'GET'],
    ]);
    expect([...span.resource.attributes]).toEqual([
      ['service.name', 'shop'],
      ['host.name', 'h'],
    ]);
  });

  test('ids: zeros are restored, ids of tools that use none stay, unreadable ones are named', () => {
    expect(only(decode(traceOf({ traceID: '7d269b633813fc60', spanID: 'a1' })))).toMatchObject({
      traceId: '00000000000000007d269b633813fc60',
      spanId: '00000000000000a1',
    });
    expect(only(decode(traceOf({ traceID: 'trace-123', spanID: 'span-1' })))).toMatchObject({
      traceId: 'trace-123',
      spanId: 'span-1',
    });
    const bad = decode({
      data: [
        traceOf(
          { spanID: '' },
          { spanID: '0'.repeat(16) },
          { traceID: 'f'.repeat(40), spanID: '1' },
          { spanID: 'a'.repeat(17) },
        ),
      ],
    });
    expect(bad.spans).toEqual([]);
    expect(bad.problems).toEqual([
      {
        code: 'bad-span-id',
        message: 'expected up to 16 hex digits, got a text of 0 characters',
        at: 'data[0].spans[0].spanID',
      },
      { code: 'bad-span-id', message: 'expected up to 16 hex digits, got zeros only', at: 'data[0].spans[1].spanID' },
      { code: 'bad-trace-id', message: 'expected up to 32 hex digits, got 40', at: 'data[0].spans[2].traceID' },
      { code: 'bad-span-id', message: 'expected up to 16 hex digits, got 17', at: 'data[0].spans[3].spanID' },
    ]);
  });

  test('what is missing stays missing', () => {
    const span = only(
      decode({ traceID, spans: [{ traceID, spanID: '1', operationName: 'op', processID: 'p9' }], processes: {} }),
    );
    expect(span).toMatchObject({
      endUnixNano: undefined,
      startUnixNano: 0n,
      kind: 'unspecified',
      events: [],
      links: [],
    });
    expect([...span.resource.attributes]).toEqual([]);
    const nameless = traceOf({ spanID: '1' }) as { processes: { p1: { serviceName: string; tags: unknown[] } } };
    nameless.processes.p1 = { serviceName: 'OTLPResourceNoServiceName', tags: [] };
    expect([...only(decode(nameless)).resource.attributes]).toEqual([]);
  });

  test('fractions of a microsecond count', () => {
    expect(only(decode(traceOf({ spanID: '1', startTime: 10.25, duration: 0.5 })))).toMatchObject({
      startUnixNano: 10_250n,
      endUnixNano: 10_750n,
    });
  });

  test.each([
    [null],
    [[]],
    [[1]],
    ['x'],
    [{ data: [null, 1] }],
    [{ spans: [null] }],
    [{ spans: [{ traceID, spanID: '1', tags: 1, logs: [1], references: [1, {}] }] }],
  ])('hostile %j never throws', (document) => {
    expect(() => decodeJaegerObject(document)).not.toThrow();
  });
});
