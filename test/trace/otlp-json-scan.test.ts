import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpJson, parseOtlpJson } from '../../src/trace/otlp-json.ts';
import { scanOtlpJson } from '../../src/trace/otlp-json-scan.ts';
import { type DecodeOptions, type OtlpBatch, SharedStrings } from '../../src/trace/otlp-reading.ts';
import { SpanRecord } from '../../src/trace/span-record.ts';
import { sharedCases } from '../shared-cases.ts';

// Reading from the text must give what JSON.parse gives: spans, problems and their places, errors and theirs.

type Decode = (text: string, options: DecodeOptions) => OtlpBatch;

/** Everything that a decoder says of a text, as a text. */
function said(decode: Decode, text: string, shared: SharedStrings): string {
  try {
    const { spans, logs, metrics, problems, moreProblems } = decode(text, { source: 'a.jsonl', line: 3, shared });
    return JSON.stringify(plain({ spans, logs, metrics, problems, moreProblems }));
  } catch (error) {
    if (!(error instanceof OtelEvalError)) throw error;
    return JSON.stringify([error.code, error.message, plain({ ...error })]);
  }
}

/** Maps as lists of entries, numbers of all kinds told apart. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `bigint ${value}`;
  if (typeof value === 'number') return Object.is(value, -0) ? 'number -0' : `number ${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return ['bytes', ...value];
  if (Array.isArray(value)) return value.map(plain);
  if ('entries' in value && typeof value.entries === 'function') return ['map', ...[...value.entries()].map(plain)];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** Reads them in turn, as lines of one source. */
function expectSame(texts: readonly string[]): void {
  const [scanning, parsing] = [new SharedStrings(), new SharedStrings()];
  for (const text of texts) expect(said(decodeOtlpJson, text, scanning)).toBe(said(parseOtlpJson, text, parsing));
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|jsonl)$/.test(name))
    .map((name) => join(folder, name))
    .sort();
}

const root = resolve(import.meta.dirname, '../..');
const folders = [join(root, 'fixtures'), ...(sharedCases === undefined ? [] : [sharedCases])];
const texts = folders
  .flatMap(filesUnder)
  .map((file) => readFileSync(file, 'utf8'))
  .filter((text) => text.includes('"spans"') && text.length < 100_000);

test('every file of fixtures and shared cases reads the same, as a document and line by line', () => {
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expectSame([text, ...text.split('\n').filter(Boolean).slice(0, 20), text]);
});

const id = (place: number) => `00000000000000a${place}`;
const traceId = '5b8aa5a2d2c872e8321cf37308d69df2';

function span(place: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    traceId,
    spanId: id(place),
    parentSpanId: place === 0 ? '' : id(0),
    name: place === 0 ? 'invoke_agent a' : 'chat m',
    kind: 1 + (place % 3),
    startTimeUnixNano: `176000000000000000${place}`,
    endTimeUnixNano: `176000000100000000${place}`,
    flags: 257,
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'text', value: { stringValue: `say "${place}" \\ \n ünï \u{1f600}` } },
      { key: 'tokens', value: { intValue: String(place * 7) } },
      { key: 'share', value: { doubleValue: place / 8 } },
      { key: 'ok', value: { boolValue: place % 2 === 0 } },
      { key: 'words', value: { arrayValue: { values: [{ stringValue: 'stop' }, { intValue: 1 }] } } },
    ],
    status: place % 2 === 0 ? {} : { code: 2, message: 'no' },
    events: place % 3 === 0 ? [] : [{ timeUnixNano: '1760000000000000001', name: 'exception', attributes: [] }],
    ...more,
  };
}

function document(spans: readonly unknown[], indent = 0): string {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'a' } }] };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 's' }, spans }] }] }, null, indent);
}

const usual = document([0, 1, 2, 3, 4, 5, 6, 7].map((place) => span(place)));

test('spans that are written alike are read from the text', () => {
  const shared = new SharedStrings();
  for (const text of [usual, document([span(1)], 2), document([span(2)], 2)]) decodeOtlpJson(text, { shared });
  for (const text of [usual, document([span(1)], 2)]) {
    const rows = scanOtlpJson(text, {}, shared)?.lists.flat() ?? [];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row instanceof SpanRecord)).toBe(true);
  }
});

test.each<[string, string]>([
  ['an id of zeros', document([span(1), span(2), span(3, { spanId: '0000000000000000' })])],
  ['a trace id that cannot be read, again and again', document([1, 2, 3].map((i) => span(i, { traceId: 'bad' })))],
  ['an upper-case id', document([span(1), span(2, { spanId: 'ABCDEFABCDEFABCD' })])],
  ['times of other kinds', document([span(1), span(2, { startTimeUnixNano: 5, endTimeUnixNano: '0' })])],
  ['a time beyond 2^53 as a number', usual.replace('"1760000000000000003"', '1760000000000000003')],
  ['an integer beyond 2^53 as a number', usual.replaceAll('{"intValue":"7"}', '{"intValue":9007199254740993}')],
  ['an unknown kind', document([span(1), span(2, { kind: 77 }), span(3, { kind: 'SPAN_KIND_CLIENT' })])],
  ['a kind with zeros before it', usual.replace('"kind":2', '"kind":02')],
  ['a repeated attribute', usual.replace('"key":"tokens"', '"key":"text"')],
  ['a repeated member', usual.replaceAll('"flags":257', '"flags":257,"flags":1')],
  ['a member in both spellings', usual.replaceAll('"flags":257', '"trace_id":"00","flags":257')],
  ['an unknown member', usual.replaceAll('"flags":257', '"x":{"spans":[{"a":1}]},"flags":257')],
  ['two values in one', usual.replaceAll('{"stringValue":"chat"}', '{"stringValue":"chat","intValue":"1"}')],
  ['a value before its key', usual.replaceAll('"key":"ok","value":', '"value":{"intValue":"1"},"key":"ok","x":')],
  ['a lone surrogate', usual.replaceAll('chat m', '\\ud83d chat')],
  ['a bare control character', usual.replace('chat m', 'chat\u0001m')],
  ['another escape', usual.replace('chat m', 'chat\\qm')],
  ['an escaped member name', usual.replaceAll('"spans"', '"sp\\u0061ns"')],
  ['a list that is none', usual.replace('"spans":[', '"spans":0,"spans":[')],
  ['a number for a list, after one', usual.replace('}]}]}', '}]},{"spans":0}]}')],
  ['the word as a value', usual.replace('"stringValue":"a"', '"stringValue":"spans"')],
  ['an element that is none', usual.replace('"spans":[', '"spans":[7,null,"x",')],
  ['a comma too many', usual.replace('}]}]}]}', '},]}]}]}')],
  ['a comma too few', usual.replaceAll('},{"traceId"', '}{"traceId"')],
  ['deep nesting', usual.replace('"status":{}', `"status":${'['.repeat(1_500)}${']'.repeat(1_500)}`)],
  [
    'deep values',
    usual.replaceAll('{"boolValue":true}', `${'{"arrayValue":{"values":['.repeat(120)}${']}}'.repeat(120)}`),
  ],
  ['members of a Go dump', usual.replaceAll('"boolValue"', '"BoolValue"')],
  ['nothing', ''],
])('%s reads the same', (_, text) => expectSame([usual, text, text, usual, text]));

test('a name that was understood before is not taken for a text that is no JSON', () => {
  for (const name of ['tab\there', 'ends with \\']) {
    const known = document([span(1, { name }), span(2, { name })]);
    const bare = known.replaceAll(JSON.stringify(name), `"${name}"`);
    expect(bare).not.toBe(known);
    expectSame([usual, known, known, bare, known]);
  }
});

test('a text that is cut off anywhere reads the same', () => {
  const text = document([span(0), span(1)]);
  const shared = new SharedStrings();
  const parsing = new SharedStrings();
  for (let end = 0; end < text.length; end += 1) {
    const cut = text.slice(0, end);
    expect(said(decodeOtlpJson, cut, shared)).toBe(said(parseOtlpJson, cut, parsing));
  }
});

const pieces = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  'true',
  '\\"',
  '\u0000',
  'é',
  '\u2028',
];
const more = [
  '"spans":[',
  '"spans":0',
  '"kind":3,',
  '"status":{"code":"ERROR"},',
  '{"intValue":"x"}',
  '"traceId":null,',
];
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.oneof(fc.constantFrom(0, 1), fc.nat(40)),
  put: fc.constantFrom('', ...pieces, ...more),
});

test('mutated texts read the same', () => {
  fc.assert(
    fc.property(fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }), (rounds) => {
      const mutants = rounds.map((edits) =>
        edits.reduce((text, { at, drop, put }) => {
          const place = Math.floor(at * text.length);
          return text.slice(0, place) + put + text.slice(place + drop);
        }, usual),
      );
      expectSame([usual, ...mutants, usual]);
    }),
    { numRuns: 200 },
  );
});
