import { expect, test } from 'vitest';
import { cutValues } from '../../src/trace/cut-values.ts';
import { decodeTempoObject, tempoStatus } from '../../src/trace/tempo-json.ts';
import { makeSpan } from './make-span.ts';

const group = {
  scopeSpans: [{ spans: [{ traceId: 'oaGhoaGhoaGhoaGhoaGhoQ==', spanId: '0NDQ0NDQAAE=', kind: 'SPAN_KIND_CLIENT' }] }],
};

test.each([
  [{ batches: [group] }, 1, undefined],
  [{ trace: { resourceSpans: [group] }, metrics: {} }, 1, undefined],
  [{ trace: { resourceSpans: [group] }, status: 'PARTIAL', message: 'only a subset' }, 1, 'partial'],
  [{ trace: {}, metrics: {} }, 0, 'not-found'],
  [{ trace: null }, 0, 'not-found'],
])('%j', (document, spans, says) => {
  const { batch, serverSays } = decodeTempoObject(document);
  expect([batch.spans.length, serverSays]).toEqual([spans, says]);
  if (spans > 0)
    expect(batch.spans[0]).toMatchObject({ traceId: 'a1'.repeat(16), spanId: 'd0d0d0d0d0d00001', kind: 'client' });
});

test.each([
  [undefined, undefined, undefined],
  ['COMPLETE', '', undefined],
  [0, '', undefined],
  [1, '', 'partial'],
  ['PARTIAL', 'Trace exceeds maximum size of 3000 bytes, a partial trace is returned', 'too-large'],
  ['PARTIAL', 'Trace was pruned by Tempo while serving this request', 'pruned'],
  ['COMPLETE', 'Trace was pruned by Tempo', 'pruned'],
  ['PARTIAL', 'spans of trace pruner-1 are missing', 'partial'],
])('status %j with message %j is %s', (status, message, says) => {
  expect(tempoStatus(status, message)).toBe(says);
});

const named = ['attribute gen_ai.input.messages of d0d0d0d0d0d00001 cut at 2048 bytes'];
test.each([
  ['2,048 bytes that are no JSON', `[${'x'.repeat(2_047)}`, named],
  ['2,045 bytes', `[${'x'.repeat(2_044)}`, named],
  ['2,044 bytes', `[${'x'.repeat(2_043)}`, []],
  ['2,049 bytes', `[${'x'.repeat(2_048)}`, []],
  ['2,048 bytes of JSON', `"${'x'.repeat(2_046)}"`, []],
  ['a character that was cut in two', `[${'x'.repeat(2_046)}\uFFFD`, named],
  ['2,046 bytes in characters of three', `[x${'€'.repeat(681)}x`, named],
  ['a short one', '[', []],
])('%s', (_what, value, losses) => {
  const span = makeSpan(1, undefined, { attributes: new Map([['gen_ai.input.messages', value]]) });
  expect(cutValues(span)).toEqual(losses);
});

test('cut values are looked for wherever there are attributes', () => {
  const attributes = new Map([['k', 'x'.repeat(2_048)]]);
  const span = makeSpan(1, undefined, {
    attributes,
    resource: { attributes, droppedAttributesCount: 0 },
    scope: { name: '', version: '', attributes, droppedAttributesCount: 0 },
    events: [{ name: 'e', timeUnixNano: 1n, attributes, droppedAttributesCount: 0 }],
    links: [{ traceId: 'a', spanId: 'b', traceState: '', attributes, droppedAttributesCount: 0, flags: 0 }],
  });
  expect(cutValues(span)).toEqual(
    ['attribute', 'resource attribute', 'scope attribute', 'event attribute', 'link attribute'].map(
      (where) => `${where} k of d0d0d0d0d0d00001 cut at 2048 bytes`,
    ),
  );
});
