import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSpanQuery } from '../../../collectors/tempo/compile-span-query.ts';
import { traceQlFor } from '../../../collectors/tempo/tempo-search.ts';
import { TraceQl } from '../../../collectors/tempo/trace-ql.ts';
import { type Token, traceQlTokens } from './trace-ql-lexer.ts';

const nasty = [
  '"',
  '\\',
  '\\"',
  '"} || {} //',
  '"} || { } | select(span.secret) //',
  '/* comment */',
  '// comment',
  'a\nb',
  '\r',
  '`raw`',
  "'",
  '{',
  '}',
  '(',
  ')',
  '&&',
  '||',
  '\ud800',
  '\udc00x',
  'ok\ud83d\ude00ok',
  '\u2028',
  '" with (most_recent=true)',
];

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
);
const value = text.filter((each) => !each.includes('\0'));
const attributeName = text.filter((each) => !/\p{Cc}/u.test(each));

function wellFormed(each: string): string {
  return Buffer.from(each, 'utf8').toString('utf8');
}

const sign = (mark: string): Token => ({ kind: 'punctuation', text: mark });

test('no attribute name and no value changes the shape of a query', () => {
  fc.assert(
    fc.property(attributeName, value, (name, wanted) => {
      const query = TraceQl.query(TraceQl.attribute('span', name, wanted));
      expect(traceQlTokens(query)).toEqual([
        sign('{'),
        sign('('),
        { kind: 'attribute', scope: 'span', name: wellFormed(name) },
        sign('='),
        { kind: 'string', value: wellFormed(wanted) },
        sign(')'),
        sign('}'),
      ]);
    }),
    { numRuns: 500 },
  );
});

test('no run id, conversation, service or name changes the shape of a search', () => {
  const shape = (query: string) => traceQlTokens(query).map((token) => (token.kind === 'string' ? 'S' : token));
  const strings = (query: string) =>
    traceQlTokens(query).flatMap((token) => (token.kind === 'string' ? token.value : []));
  fc.assert(
    fc.property(value, (wanted) => {
      for (const [harmless, hostile] of [
        [{ runId: 'r' }, { runId: wanted }],
        [{ conversationId: 'c' }, { conversationId: wanted }],
        [{ service: 's' }, { service: wanted }],
        [{ spanQuery: { name: 'n' } }, { spanQuery: { name: wanted } }],
        [{ spanQuery: { attributes: { a: 'x' } } }, { spanQuery: { attributes: { a: wanted } } }],
      ] as const) {
        expect(shape(traceQlFor(hostile))).toEqual(shape(traceQlFor(harmless)));
        expect(new Set(strings(traceQlFor(hostile)))).toEqual(new Set([wellFormed(wanted)]));
      }
    }),
    { numRuns: 300 },
  );
});

test('every way to look', () => {
  expect(traceQlFor({})).toBe('{ }');
  expect(traceQlFor({ service: 'order-support' })).toBe('{ (resource."service.name" = "order-support") }');
  expect(traceQlFor({ runId: 'r-1', service: 'x' })).toBe(
    '{ ((span."otel_eval.run.id" = "r-1") || (resource."otel_eval.run.id" = "r-1")) }',
  );
  expect(traceQlFor({ conversationId: 'c' })).toBe(
    '{ ((span."gen_ai.conversation.id" = "c") || (resource."gen_ai.conversation.id" = "c") || ' +
      '(span."session.id" = "c") || (resource."session.id" = "c")) }',
  );
  expect(traceQlFor({ traceQl: '{ span.x = 1 } | count() > 2', runId: 'r' })).toBe('{ span.x = 1 } | count() > 2');
});

test('a query of spans, as far as a search can narrow by it', () => {
  expect(
    compileSpanQuery({
      name: { oneOf: ['chat', 'text "completion"'] },
      kind: 'client',
      status: { oneOf: ['error', 'unset'] },
      service: 'shop',
      scope: 'demo',
      event: 'exception',
      attributes: { 'gen_ai.tool.name': 'refund', n: 7, ok: true, left: { contains: 'x' }, out: { not: 'y' } },
      under: { name: 'plan' },
    })?.text,
  ).toBe(
    '(((span:name = "chat") || (span:name = "text \\"completion\\"")) && (span:kind = client) && ' +
      '((span:status = error) || (span:status = unset)) && (resource."service.name" = "shop") && ' +
      '(instrumentation:name = "demo") && (event:name = "exception") && ' +
      '(span."gen_ai.tool.name" = "refund") && (span."n" = 7) && (span."ok" = true))',
  );
  expect(compileSpanQuery({ name: { startsWith: 'chat' }, step: 'tool' })).toBeUndefined();
  expect(compileSpanQuery({ attributes: { a: 1e300, b: '', c: 'x'.repeat(3_000), 'd\n': 'e' } })).toBeUndefined();
});

test('what has no spelling is refused', () => {
  expect(() => TraceQl.attribute('span', 'a', 'x\0')).toThrow(
    'cannot write this as a TraceQL query: a value holds the character NUL',
  );
  expect(() => TraceQl.attribute('span', 'a\n', 'x')).toThrow('an attribute name holds a control character');
  expect(() => TraceQl.attribute('span', 'a', Number.NaN)).toThrow('a number is not finite');
  expect(() => TraceQl.attribute('span', 'a', 2n ** 63n)).toThrow('an integer has more than 64 bits');
  expect(() => TraceQl.word('span:kind', 'client) || (true')).toThrow('span:kind takes one lower-case word');
  expect(() => traceQlFor({ traceQl: 'x'.repeat(131_073) })).toThrow('it is longer than 131072 bytes');
});
