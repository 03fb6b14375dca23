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
