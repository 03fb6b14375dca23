import { expect, test } from 'vitest';
import { buildTrace } from '../../src/trace/build-trace.ts';
import { type SpanQuery, selectSpans } from '../../src/trace/span-query.ts';
import { noScope } from '../../src/trace/span-record.ts';
import { spanQuery } from '../../src/verdict/span-query-schema.ts';
import { queryText } from '../../src/verdict/span-query-text.ts';
import { attributesOf, idOf, makeSpan, traceId } from './make-span.ts';

const resource = {
  attributes: attributesOf({ 'service.name': 'shop', 'deployment.environment.name': 'test' }),
  droppedAttributesCount: 0,
};
const scope = { ...noScope, name: '@shop/agent', attributes: attributesOf({ revision: 7 }) };
const trace = buildTrace(traceId, [
  makeSpan(1, undefined, { name: 'invoke_agent shop', resource, scope }),
  makeSpan(2, 1, { name: 'plan' }),
  makeSpan(3, 2, { name: 'chat gpt-5', kind: 'client', attributes: attributesOf({ n: 3, big: 2n ** 60n, ok: true }) }),
  makeSpan(4, 1, { name: 'chat gpt-5-mini', kind: 'client', status: { code: 'error', message: '' } }),
  makeSpan(5, 4, {
    name: 'POST',
    events: [{ timeUnixNano: 1n, name: 'exception', attributes: attributesOf({}), droppedAttributesCount: 0 }],
  }),
  makeSpan(6, 6, { name: 'self' }),
]);

test.each<[SpanQuery, number[], string]>([
  [{}, [1, 2, 3, 4, 5, 6], 'any span'],
  [{ name: 'plan' }, [2], 'name "plan"'],
  [{ name: { startsWith: 'chat' } }, [3, 4], 'name starting with "chat"'],
  [{ name: { like: '*gpt-5*' } }, [3, 4], 'name like "*gpt-5*"'],
  [{ name: { like: 'chat*-*-mini' } }, [4], 'name like "chat*-*-mini"'],
  [{ name: { like: 'chat*mini*mini' } }, [], 'name like "chat*mini*mini"'],
  [{ kind: { oneOf: ['client'] }, status: { not: 'error' } }, [3], 'kind one of "client", status not "error"'],
  [{ service: 'shop' }, [1], 'service "shop"'],
  [{ scope: { endsWith: 'agent' } }, [1], 'scope ending with "agent"'],
  [
    { resource: { 'deployment.environment.name': 'test' } },
    [1],
    'resource attribute deployment.environment.name as wanted',
  ],
  [{ scopeAttributes: { revision: { atLeast: 7 } } }, [1], 'scope attribute revision as wanted'],
  [{ attributes: { n: 3, ok: true } }, [3], 'attribute n as wanted, attribute ok as wanted'],
  [{ attributes: { big: { atLeast: 2 ** 60 } } }, [3], 'attribute big as wanted'],
  [{ attributes: { n: { exists: false } }, kind: 'client' }, [4], 'kind "client", attribute n as wanted'],
  [{ event: 'exception' }, [5], 'event "exception"'],
  [{ childOf: { name: 'plan' } }, [3], 'child of (name "plan")'],
  [{ under: { name: { contains: 'agent' } } }, [2, 3, 4, 5], 'under (name containing "agent")'],
  [{ parentOf: { kind: 'client' } }, [1, 2], 'parent of (kind "client")'],
  [{ above: { event: 'exception' } }, [1, 4], 'above (event "exception")'],
  [{ after: { name: 'chat gpt-5' } }, [4, 5, 6], 'after (name "chat gpt-5")'],
  [{ any: [{ name: 'plan' }, { name: 'POST' }] }, [2, 5], 'any of (name "plan"; name "POST")'],
  [{ all: [{ kind: 'client' }, { status: 'error' }] }, [4], '(kind "client"), (status "error")'],
  [{ kind: 'client', not: { under: { name: 'plan' } } }, [4], 'kind "client", not (under (name "plan"))'],
])('%j', (query, expected, text) => {
  expect(spanQuery.parse(query)).toEqual(query);
  expect(selectSpans(query, { trace }).map(({ spanId }) => spanId)).toEqual(expected.map(idOf));
  expect(queryText(query)).toBe(text);
});

test('a query by step asks whoever knows the steps, and matches nothing without', () => {
  const query: SpanQuery = { step: 'tool' };
  expect(selectSpans(query, { trace })).toEqual([]);
  const stepKindOf = ({ spanId }: { readonly spanId: string }): 'tool' | 'model' =>
    spanId === idOf(2) ? 'tool' : 'model';
  expect(selectSpans(query, { trace, stepKindOf }).map(({ spanId }) => spanId)).toEqual([idOf(2)]);
});

test('an unknown key and an empty text are refused', () => {
  expect(spanQuery.safeParse({ nam: 'x' }).success).toBe(false);
  expect(spanQuery.safeParse({ name: '' }).success).toBe(false);
  expect(spanQuery.safeParse({ any: [] }).success).toBe(false);
});

test('after: started before and ended when it begins; never at the same moment, nor after one without an end', () => {
  const at = 1_760_000_000_000_000_000n;
  const select = (...times: (readonly [bigint, bigint | undefined])[]): string[] => {
    const spans = times.map(([start, end], i) =>
      makeSpan(i + 1, i === 0 ? undefined : 1, {
        startUnixNano: at + start,
        endUnixNano: end === undefined ? undefined : at + end,
      }),
    );
    return selectSpans({ after: {} }, { trace: buildTrace(traceId, spans) }).map(({ spanId }) => spanId);
  };
  expect(select([0n, 0n], [0n, 0n])).toEqual([]);
  expect(select([0n, 5n], [5n, 9n], [9n, 9n])).toEqual([idOf(2), idOf(3)]);
  expect(select([0n, 6n], [5n, 9n])).toEqual([]);
  expect(select([0n, undefined], [5n, 9n])).toEqual([]);
  expect(select([0n, 90n], [1n, 2n], [5n, 9n])).toEqual([idOf(3)]);
  // A start of whole milliseconds was rounded down: any moment of its millisecond.
  expect(select([1n, 1_999_999n], [1_000_000n, 9_000_000n])).toEqual([idOf(2)]);
  expect(select([1n, 2_000_000n], [1_000_000n, 9_000_000n])).toEqual([]);
  expect(select([1_000_000n, 1_000_001n], [1_000_000n, 1_000_001n])).toEqual([]);
});
