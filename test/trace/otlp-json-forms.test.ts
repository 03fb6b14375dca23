import { expect, test } from 'vitest';
import type { AttributeValue } from '../../src/trace/attributes.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import type { OtlpBatch } from '../../src/trace/otlp-reading.ts';
import { idOf, traceId } from './make-span.ts';

const ids = `"traceId":"${traceId}","spanId":"${idOf(1)}"`;
const at = 'resourceSpans[0].scopeSpans[0].spans[0]';

/** A document of one span with these members, as text: numbers must reach the reader as they are written. */
function read(members: string): OtlpBatch {
  return decodeOtlpJson(
    `{"resourceSpans":[{"scopeSpans":[{"spans":[{${ids}${members === '' ? '' : `,${members}`}}]}]}]}`,
  );
}

function readValue(value: string): AttributeValue | undefined {
  const { spans, problems } = read(`"attributes":[{"key":"k","value":${value}}]`);
  expect(problems).toEqual([]);
  return spans[0]?.attributes.get('k');
}

test.each<[string, AttributeValue]>([
  ['{"intValue":"9223372036854775807"}', 9223372036854775807n],
  ['{"intValue":9223372036854775807}', 9223372036854775807n],
  ['{"intValue":-9223372036854775808}', -9223372036854775808n],
  ['{"intValue":9007199254740993}', 9007199254740993n],
  ['{"intValue":9007199254740991}', 9007199254740991],
  ['{"intValue":1.6e18}', 1600000000000000000n],
  ['{"intValue":"12e2"}', 1200],
  ['{"intValue":{"low":12,"high":0}}', 12],
  ['{"intValue":{"low":-1,"high":-1}}', -1],
  ['{"int_value":"7"}', 7],
  ['{"doubleValue":null}', Number.NaN],
  ['{"doubleValue":"NaN"}', Number.NaN],
  ['{"doubleValue":"-Infinity"}', Number.NEGATIVE_INFINITY],
  ['{"doubleValue":"1.5"}', 1.5],
  ['{"doubleValue":0}', 0],
  ['{}', null],
  ['null', null],
  ['{"stringValue":""}', ''],
  ['{"boolValue":false}', false],
  ['{"arrayValue":{"values":[{"intValue":"1"},{},{"stringValue":"a"}]}}', [1, null, 'a']],
  ['{"arrayValue":{}}', []],
  ['{"kvlistValue":{"values":[{"key":"a","value":{"boolValue":true}}]}}', new Map([['a', true]])],
  ['{"bytesValue":"AQID"}', new Uint8Array([1, 2, 3])],
  ['{"bytesValue":"_-8"}', new Uint8Array([255, 239])],
])('%s is read exactly', (value, expected) => {
  const got = readValue(value);
  expect(got instanceof Map || Array.isArray(got) || typeof got !== 'object' ? got : plain(got)).toEqual(
    plain(expected),
  );
});

function plain(value: AttributeValue | undefined): unknown {
  return typeof value === 'object' && value !== null && 'entries' in value && !Array.isArray(value)
    ? [...value.entries()]
    : value;
}

test.each<[string, bigint | undefined]>([
  ['"1760000000123456789"', 1760000000123456789n],
  ['1760000000123456789', 1760000000123456789n],
  ['1.760000000123456789e18', 1760000000123456789n],
  ['{"low":3691760917,"high":409781932}', 1760000000123456789n],
  ['"18446744073709551615"', 18446744073709551615n],
  ['"1"', 1n],
  ['"0"', undefined],
  ['0', undefined],
  ['"0000000000000000000"', undefined],
  ['null', undefined],
])('an end of %s', (time, expected) => {
  const { spans, problems } = read(`"endTimeUnixNano":${time}`);
  expect([spans[0]?.endUnixNano, problems]).toEqual([expected, []]);
});

test.each<[string, string, string, string]>([
  [
    '"endTimeUnixNano":"2026-11-30T00:00:00Z"',
    'bad-time',
    'expected nanoseconds since 1970 as an integer, got a text of 20 characters',
    'endTimeUnixNano',
  ],
  [
    '"startTimeUnixNano":"-5"',
    'bad-time',
    'expected nanoseconds since 1970 as an integer, got a text of 2 characters',
    'startTimeUnixNano',
  ],
  [
    '"startTimeUnixNano":"18446744073709551616"',
    'bad-time',
    'expected nanoseconds since 1970 as an integer, got a text of 20 characters',
    'startTimeUnixNano',
  ],
  ['"kind":"SPAN_KIND_ODD"', 'unknown-kind', 'expected a kind that OTLP knows; read as unspecified', 'kind'],
  ['"kind":17', 'unknown-kind', 'expected a kind that OTLP knows; read as unspecified', 'kind'],
  ['"status":{"code":9}', 'unknown-status', 'expected a status that OTLP knows; read as unset', 'status.code'],
  [
    '"droppedEventsCount":-3',
    'negative-count',
    'expected 0 or more, got a negative number; read as 0',
    'droppedEventsCount',
  ],
  ['"flags":"many"', 'bad-count', 'expected a 32-bit number, got a text of 4 characters; read as 0', 'flags'],
  ['"attributes":{"a":1}', 'bad-attributes', 'expected a list of keys and values, got an object', 'attributes'],
  [
    '"attributes":[{"key":"k","value":{"intValue":"9223372036854775808"}}]',
    'integer-out-of-range',
    'expected a 64-bit integer, got a larger one',
    'attributes',
  ],
  [
    '"attributes":[{"key":"k","value":{"intValue":1.5}}]',
    'bad-value',
    'expected a 64-bit integer in intValue, got a number',
    'attributes',
  ],
  [
    '"attributes":[{"key":"k","value":"bare"}]',
    'bad-value',
    'expected an object such as {"stringValue": …}, got a text of 4 characters',
    'attributes',
  ],
  [
    '"attributes":[{"key":"k","value":{"textValue":"a"}}]',
    'unknown-value',
    'no member of this value is one that OTLP knows',
    'attributes',
  ],
  [
    '"attributes":[{"key":"k"},{"key":"k"}]',
    'duplicate-key',
    'a key stands twice; the last value counts',
    'attributes[1]',
  ],
  [
    '"links":[{"traceId":"xyz","spanId":"d0d0d0d0d0d00002"}]',
    'bad-trace-id',
    'expected 32 hex digits, or base64 of 16 bytes, got 3 characters (2 bytes, if it is base64)',
    'links[0].traceId',
  ],
])('%s is named, and the span stays', (members, code, message, field) => {
  const { spans, problems } = read(members);
  expect(spans.map(({ spanId }) => spanId)).toEqual([idOf(1)]);
  expect(problems).toEqual([{ code, message, at: `${at}.${field}` }]);
});

test('of two equal keys the last value counts', () => {
  const { spans } = read('"attributes":[{"key":"k","value":{"intValue":1}},{"key":"k","value":{"intValue":2}}]');
  expect([...(spans[0]?.attributes ?? [])]).toEqual([['k', 2]]);
});

test.each<[string, string]>([
  ['"2"', 'server'],
  ['2', 'server'],
  ['"SPAN_KIND_SERVER"', 'server'],
  ['"server"', 'server'],
  ['null', 'unspecified'],
])('kind %s', (kind, expected) => {
  expect(read(`"kind":${kind}`).spans[0]?.kind).toBe(expected);
});

test.each<[string, string]>([
  ['{"code":2}', 'error'],
  ['{"code":"STATUS_CODE_ERROR"}', 'error'],
  ['{"code":"ERROR"}', 'error'],
  ['{"code":1}', 'ok'],
  ['{}', 'unset'],
])('status %s', (status, expected) => {
  expect(read(`"status":${status}`).spans[0]?.status.code).toBe(expected);
});

function spanOf(traceText: string, spanText: string): OtlpBatch {
  return decodeOtlpJson(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: traceText, spanId: spanText }] }] }] }),
  );
}

const bytes = (hex: string, form: 'base64' | 'base64url'): string => Buffer.from(hex, 'hex').toString(form);
const oddTrace = 'fbefbefbefbefbefbefbefbefbefbe0f';

test.each<[string, string, string]>([
  ['upper case', traceId.toUpperCase(), 'D0D0D0D0D0D000AF'],
  ['base64', bytes(traceId, 'base64'), bytes('d0d0d0d0d0d000af', 'base64')],
  [
    'base64 without padding',
    bytes(traceId, 'base64').replaceAll('=', ''),
    bytes('d0d0d0d0d0d000af', 'base64').replaceAll('=', ''),
  ],
  ['the URL alphabet', bytes(traceId, 'base64url'), bytes('d0d0d0d0d0d000af', 'base64url')],
])('ids in %s', (_, traceText, spanText) => {
  const { spans, problems } = spanOf(traceText, spanText);
  expect(problems).toEqual([]);
  expect([spans[0]?.traceId, spans[0]?.spanId]).toEqual([traceId, 'd0d0d0d0d0d000af']);
});

test('base64 of the URL alphabet with both of its own characters', () => {
  expect(bytes(oddTrace, 'base64url')).toMatch(/-/);
  expect(spanOf(bytes(oddTrace, 'base64url'), idOf(1)).spans[0]?.traceId).toBe(oddTrace);
});

test.each<[string, string, string]>([
  [
    Buffer.from(traceId).toString('base64'),
    idOf(1),
    'bad-trace-id: expected 32 hex digits, or base64 of 16 bytes, got base64 of the hex digits (encoded twice)',
  ],
  ['0'.repeat(32), idOf(1), 'bad-trace-id: expected 32 hex digits, got zeros'],
  [traceId, '', 'bad-span-id: expected 16 hex digits, got none'],
  [traceId, `00000000${idOf(1)}`, 'bad-span-id: expected 16 hex digits, or base64 of 8 bytes, got 24 hex digits'],
  [traceId.slice(2), idOf(1), 'bad-trace-id: expected 32 hex digits, or base64 of 16 bytes, got 30 hex digits'],
])('ids %s %s are refused by name', (traceText, spanText, expected) => {
  const { spans, problems } = spanOf(traceText, spanText);
  expect(spans).toEqual([]);
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([expected]);
});

test('events without a time stand last', () => {
  const { spans } = read('"events":[{"name":"a"},{"name":"b","timeUnixNano":"5"},{"name":"c","timeUnixNano":0}]');
  expect(spans[0]?.events.map(({ name, timeUnixNano }) => [name, timeUnixNano])).toEqual([
    ['b', 5n],
    ['a', 0n],
    ['c', 0n],
  ]);
});

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof OtelEvalError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no error';
}

const wanted = 'expected OTLP/JSON (resourceSpans, resourceLogs or resourceMetrics)';

test.each<[string, string]>([
  ['{"spans":[]}', `${wanted}, got an object with "spans" and no resourceSpans around it (f.json)`],
  ['{"data":[]}', `${wanted}, got an answer of Jaeger v1 (key "data") (f.json)`],
  ['{"result":{}}', `${wanted}, got an answer of Jaeger v3 (key "result") (f.json)`],
  ['{"hello":1}', `${wanted}, got an object with none of these keys (f.json)`],
  ['[]', `${wanted}, got a list (f.json)`],
  ['[{"resourceSpans":[]},7]', `${wanted}, got a number (f.json, [1])`],
  ['"text"', `${wanted}, got a text of 4 characters (f.json)`],
  ['', 'expected a JSON value, got the end of the text (was it cut off?) (f.json, line 1, column 1)'],
  [
    '{"resourceSpans":[',
    'expected a JSON value, got the end of the text (was it cut off?) (f.json, line 1, column 19)',
  ],
  ['{"a":1,}', 'expected a member name in quotes, got another character (f.json, line 1, column 8)'],
  ['{"a":01}', 'expected a comma or }, got another character (f.json, line 1, column 7)'],
])('%s is refused, never read as zero spans', (text, message) => {
  expect(refusal(() => decodeOtlpJson(text, { source: 'f.json' }))).toBe(`OTEL_EVAL_NOT_A_TRACE: ${message}`);
});

test('the capitalised member names of a Go dump are refused by name', () => {
  expect(refusal(() => read('"attributes":[{"key":"k","value":{"Value":{"StringValue":"a"}}}]'))).toBe(
    `OTEL_EVAL_BAD_FIELD: expected {"stringValue": …}, got the capitalised member names of a Go dump, which is not OTLP/JSON (${at}.attributes)`,
  );
});

test('values nested beyond the bound are refused', () => {
  const nested = (levels: number): string =>
    `"attributes":[{"key":"k","value":${'{"arrayValue":{"values":['.repeat(levels)}{"boolValue":true}${']}}'.repeat(levels)}}]`;
  expect(read(nested(99)).spans).toHaveLength(1);
  expect(refusal(() => read(nested(200)))).toBe(
    `OTEL_EVAL_TOO_LARGE: a value is nested deeper than 100 levels (${at}.attributes)`,
  );
  // A number that only the exact parser can read, below more levels than it allows.
  const deep = `{"resourceSpans":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(decodeOtlpJson(deep).spans).toEqual([]);
  expect(refusal(() => decodeOtlpJson(`${'['.repeat(100_000)}`))).toBe(
    'OTEL_EVAL_TOO_LARGE: JSON nested deeper than 1000 levels (line 1, column 1001)',
  );
});

test('a member named __proto__ is a member, and changes nothing else', () => {
  const { spans } = read(
    '"__proto__":{"name":"x"},"attributes":[{"key":"__proto__","value":{"intValue":9007199254740993}}]',
  );
  expect(spans[0]?.name).toBe('');
  expect(spans[0]?.attributes.get('__proto__')).toBe(9007199254740993n);
});

test('problems beyond a thousand are counted, not listed', () => {
  const rows = Array.from({ length: 1_200 }, () => ({ traceId: 'bad', spanId: idOf(1) }));
  const { problems, moreProblems } = decodeOtlpJson(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: rows }] }] }),
  );
  expect([problems.length, moreProblems]).toEqual([1_000, 200]);
});

test('log records, and metrics that are only counted', () => {
  const { logs, metrics, spans } = decodeOtlpJson(
    JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              scope: { name: 's' },
              logRecords: [
                {
                  traceId,
                  spanId: idOf(1),
                  timeUnixNano: '5',
                  severityNumber: 'SEVERITY_NUMBER_WARN',
                  body: { stringValue: 'b' },
                },
                { traceId: '0'.repeat(32), attributes: [{ key: 'event.name', value: { stringValue: 'e' } }] },
              ],
            },
          ],
        },
      ],
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{}, {}] }] }],
    }),
  );
  expect(logs.map((log) => [log.traceId, log.severityNumber, log.body, log.eventName])).toEqual([
    [traceId, 13, 'b', ''],
    ['', 0, null, 'e'],
  ]);
  expect([metrics, spans.length]).toEqual([2, 0]);
});
