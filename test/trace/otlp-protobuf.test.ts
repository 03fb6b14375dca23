import { expect, test } from 'vitest';
import { encodeOtlpProtobuf } from '../../src/trace/encode-otlp-protobuf.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpProtobuf, signalOf } from '../../src/trace/otlp-protobuf.ts';
import { attributesOf, idOf, makeSpan } from './make-span.ts';

function refusal(bytes: readonly number[] | Uint8Array): string {
  try {
    decodeOtlpProtobuf(Uint8Array.from(bytes), { source: 'f.pb' });
  } catch (error) {
    if (error instanceof OtelEvalError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no error';
}

/** A field with a length of one byte. */
function field(tag: number, ...content: number[]): number[] {
  return [...(tag < 128 ? [tag] : [(tag & 127) | 128, tag >> 7]), content.length, ...content];
}

const traceBytes = Array.from({ length: 16 }, () => 0xa1);
const spanBytes = [0xd0, 0xd0, 0xd0, 0xd0, 0xd0, 0xd0, 0, 1];
const idFields = [...field(0x0a, ...traceBytes), ...field(0x12, ...spanBytes)];

function documentOf(...span: number[]): Uint8Array {
  return Uint8Array.from(field(0x0a, ...field(0x12, ...field(0x12, ...span))));
}

test.each<[string, number[], string]>([
  [
    'a 4 GB length',
    [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f],
    'a field claims 4294967295 bytes, its message has 0 left (f.pb, byte 6)',
  ],
  ['a length that lies', [0x0a, 0x05, 0x12], 'a field claims 5 bytes, its message has 1 left (f.pb, byte 2)'],
  [
    'a number of eleven bytes',
    [0x08, ...Array.from({ length: 11 }, () => 0xff)],
    'a number has more than ten bytes (f.pb, byte 1)',
  ],
  ['a cut number', [0x08, 0x80], 'expected a number, got the end of its message (f.pb, byte 1)'],
  ['field number 0', [0x00, 0x01], 'expected a field number (f.pb, byte 1)'],
  ['wire type 7', [0x0f], 'wire type 7 does not stand here (f.pb, byte 1)'],
  ['a group end without a group', [0x0c], 'wire type 4 does not stand here (f.pb, byte 1)'],
  ['a group that ends another', [0x1b, 0x24], 'a group ends that was not begun (f.pb, byte 2)'],
  ['a cut group', [0x1b], 'expected a number, got the end of its message (f.pb, byte 1)'],
  [
    'groups in groups',
    Array.from({ length: 300 }, () => 0x1b),
    'groups are nested deeper than 100 levels (f.pb, byte 101)',
  ],
  ['a cut fixed64', [0x09, 1, 2], 'expected 8 bytes, got 2 (f.pb, byte 1)'],
  ['nothing of OTLP', [0x10, 0x01], 'no resourceSpans in it (f.pb, byte 2)'],
])('%s is refused with its byte', (_, bytes, message) => {
  expect(refusal(bytes)).toBe(`OTEL_EVAL_NOT_A_TRACE: not OTLP/protobuf, or cut: ${message}`);
});

test('no byte at all is an empty request', () => {
  expect(decodeOtlpProtobuf(new Uint8Array(0)).spans).toEqual([]);
});

test('unknown fields and groups are passed over', () => {
  const unknown = [...field(0x9a2, 1, 2, 3), 0x1b, 0x08, 0x01, 0x1c, 0xf9, 0x07, 1, 2, 3, 4, 5, 6, 7, 8];
  const { spans, problems } = decodeOtlpProtobuf(documentOf(...unknown, ...idFields, ...unknown));
  expect([spans.map(({ spanId }) => spanId), problems]).toEqual([[idOf(1)], []]);
});

test('ids of a wrong length, and of zeros, are named; siblings stay', () => {
  const good = field(0x12, ...idFields);
  const short = field(0x12, ...field(0x0a, 1, 2, 3), ...field(0x12, ...spanBytes));
  const zero = field(0x12, ...field(0x0a, ...traceBytes), ...field(0x12, 0, 0, 0, 0, 0, 0, 0, 0));
  const { spans, problems } = decodeOtlpProtobuf(
    Uint8Array.from(field(0x0a, ...field(0x12, ...short, ...zero, ...good))),
  );
  expect(spans.map(({ spanId }) => spanId)).toEqual([idOf(1)]);
  expect(problems).toEqual([
    {
      code: 'bad-trace-id',
      message: 'expected 16 bytes, got 3',
      at: 'resourceSpans[0].scopeSpans[0].spans[0].traceId',
    },
    {
      code: 'bad-span-id',
      message: 'expected 16 hex digits, got none or zeros',
      at: 'resourceSpans[0].scopeSpans[0].spans[1].spanId',
    },
  ]);
});

test('a resource that comes after its spans, and instrumentationLibrarySpans, are read', () => {
  const resource = field(0x0a, ...field(0x0a, ...field(0x0a, 0x61), ...field(0x12, ...field(0x0a, 0x62))));
  const { spans } = decodeOtlpProtobuf(
    Uint8Array.from(
      field(0x0a, ...field(8002, ...field(0x0a, ...field(0x0a, 0x6f)), ...field(0x12, ...idFields)), ...resource),
    ),
  );
  expect([spans[0]?.scope.name, [...(spans[0]?.resource.attributes ?? [])]]).toEqual(['o', [['a', 'b']]]);
});

test('messages that were appended to each other are one', () => {
  const [a, b] = [encodeOtlpProtobuf([makeSpan(1)]), encodeOtlpProtobuf([makeSpan(2)])];
  expect(decodeOtlpProtobuf(Buffer.concat([a, b])).spans.map(({ spanId }) => spanId)).toEqual([idOf(1), idOf(2)]);
});

test('values nested beyond the bound are refused', () => {
  let value: readonly unknown[] = [];
  for (let i = 0; i < 150; i += 1) value = [value];
  const bytes = encodeOtlpProtobuf([makeSpan(1, undefined, { attributes: new Map([['k', value as never]]) })]);
  expect(refusal(bytes)).toBe(
    'OTEL_EVAL_TOO_LARGE: a value is nested deeper than 100 levels (f.pb, resourceSpans[0].scopeSpans[0].spans[0].attributes)',
  );
});

test('text that is not UTF-8 is read with replacement characters', () => {
  expect(decodeOtlpProtobuf(documentOf(...idFields, ...field(0x2a, 0x61, 0xff, 0x62))).spans[0]?.name).toBe('a\uFFFDb');
});

test('texts of any plane survive, as do those that were cut short before', () => {
  const name = '\u{20000}\u{1f600}é';
  const attributes = attributesOf({ k: name });
  const [span] = decodeOtlpProtobuf(encodeOtlpProtobuf([makeSpan(1, undefined, { name, attributes })])).spans;
  expect([span?.name, span?.attributes.get('k')]).toEqual([name, name]);
});

test('what protobuf cannot hold is refused when written', () => {
  const write = (members: object): string => {
    try {
      encodeOtlpProtobuf([makeSpan(1, undefined, members)]);
    } catch (error) {
      if (error instanceof OtelEvalError) return `${error.code}: ${error.message}`;
      throw error;
    }
    return 'no error';
  };
  expect(write({ spanId: 'span-1' })).toBe(
    'OTEL_EVAL_BAD_FIELD: expected an id of 16 hex digits to write, got 6 characters',
  );
  expect(write({ attributes: attributesOf({ n: 2n ** 63n }) })).toBe(
    'OTEL_EVAL_BAD_FIELD: expected an integer of 64 bits to write, got a larger one',
  );
});

test('a message of log records is told from one of spans by its first row', () => {
  expect(signalOf(documentOf(...idFields))).toBe('traces');
  expect(signalOf(documentOf(0x09, 1, 2, 3, 4, 5, 6, 7, 8))).toBe('logs');
  expect(signalOf(documentOf(0x10, 9))).toBe('logs');
  expect(signalOf(Uint8Array.from([1, 2, 3]))).toBe('traces');
});

test('long texts, values that come again and keys that alternate read as they were written', () => {
  const long = (letter: string): string => letter.repeat(40);
  const attributes = [
    { a: long('xyz'), list: ['tool_calls'], n: 7 },
    { b: long('é'), list: ['stop'], n: 7 },
    { a: long('\u{1f600}'), list: ['stop'], n: -7 },
    { a: `${long('ab')}ß`, list: [], n: 2 ** 40 },
    { b: long('xyz'), list: [], n: 7 },
    { c: null, a: '', list: [['x'], 1n], n: 0.5 },
  ].map(attributesOf);
  const spans = attributes.map((each, i) => makeSpan(i + 1, undefined, { attributes: each }));
  const read = decodeOtlpProtobuf(encodeOtlpProtobuf([...spans, ...spans])).spans;
  const expected = [...attributes, ...attributes].map((each) => [...each]);
  const plain = (value: unknown): unknown => (Array.isArray(value) ? value.map(plain) : value === 1n ? 1 : value);
  expect(read.map((span) => [...span.attributes])).toEqual(plain(expected));
  expect(read.map((span) => [...span.attributes.values()])).toEqual(
    plain(expected.map((each) => each.map(([, v]) => v))),
  );
});

test('a long text that is not UTF-8 is read with replacement characters', () => {
  const text = [...Array.from({ length: 80 }, () => 0x61), 0xff];
  const attribute = field(0x4a, ...field(0x0a, 0x6b), ...field(0x12, ...field(0x0a, ...text)));
  const row = field(0x12, ...idFields, ...attribute);
  const bytes = [...row, ...row];
  const lengths = (length: number): number[] => [(length & 127) | 128, length >> 7];
  const scope = [0x12, ...lengths(bytes.length), ...bytes];
  const { spans } = decodeOtlpProtobuf(Uint8Array.from([0x0a, ...lengths(scope.length), ...scope]));
  expect(spans.map(({ attributes }) => attributes.get('k'))).toEqual([
    `${'a'.repeat(80)}\uFFFD`,
    `${'a'.repeat(80)}\uFFFD`,
  ]);
});

test('what is wrong in a value that comes again is told each time', () => {
  const entry = field(0x0a, ...field(0x0a, 0x78), ...field(0x12, 0x18, 1));
  const attribute = field(0x4a, ...field(0x0a, 0x6b), ...field(0x12, ...field(0x32, ...entry, ...entry)));
  const row = field(0x12, ...idFields, ...attribute);
  const lengths = (length: number): number[] => [(length & 127) | 128, length >> 7];
  const rows = [...row, ...row, ...row];
  const scope = [0x12, ...lengths(rows.length), ...rows];
  const { problems } = decodeOtlpProtobuf(Uint8Array.from([0x0a, ...lengths(scope.length), ...scope]));
  expect(problems.map(({ code }) => code)).toEqual(['duplicate-key', 'duplicate-key', 'duplicate-key']);
});
