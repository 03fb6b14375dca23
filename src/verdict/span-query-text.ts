import { displayName } from '../trace/display-name.ts';
import type { Span } from '../trace/span.ts';
import { compileSpanQuery, type QueryContext, type SpanQuery } from '../trace/span-query.ts';
import { listed, quoted } from './wording.ts';

/** `name "chat" and status not error`: names and codes; of attributes only the keys. */
export function queryText(query: SpanQuery): string {
  const parts = [...ownParts(query), ...attributeParts(query), ...innerParts(query)];
  return parts.length === 0 ? 'any span' : parts.join(', ');
}

const ownTests = ['name', 'kind', 'status', 'service', 'scope', 'event', 'step'] as const;

function ownParts(query: SpanQuery): string[] {
  return ownTests.flatMap((part) => {
    const test = query[part];
    if (test === undefined) return [];
    return [part === 'step' ? `step ${String(test)}` : `${part} ${testText(test)}`];
  });
}

function attributeParts({ attributes = {}, resource = {}, scopeAttributes = {} }: SpanQuery): string[] {
  const wanted = (what: string, tests: object): string[] =>
    Object.keys(tests).map((key) => `${what} ${displayName(key)} as wanted`);
  return [
    ...wanted('attribute', attributes),
    ...wanted('resource attribute', resource),
    ...wanted('scope attribute', scopeAttributes),
  ];
}

function innerParts({ childOf, under, parentOf, above, after, all = [], any, not }: SpanQuery): string[] {
  const inner = (words: string, query: SpanQuery | undefined): string[] =>
    query === undefined ? [] : [`${words} (${queryText(query)})`];
  return [
    ...inner('child of', childOf),
    ...inner('under', under),
    ...inner('parent of', parentOf),
    ...inner('above', above),
    ...inner('after', after),
    ...all.map((query) => `(${queryText(query)})`),
    ...(any === undefined ? [] : [`any of (${any.map(queryText).join('; ')})`]),
    ...inner('not', not),
  ];
}

function testText(test: NonNullable<SpanQuery['name' | 'kind' | 'status' | 'step']>): string {
  if (typeof test === 'string') return quoted(test);
  const [form = '', value = ''] = Object.entries(test)[0] ?? [];
  const words: Record<string, string> = { oneOf: 'one of', startsWith: 'starting with', endsWith: 'ending with' };
  const values = [value].flat().map((one) => quoted(String(one)));
  return `${words[form] ?? (form === 'contains' ? 'containing' : form)} ${listed(values)}`;
}

/** Which parts of a query a span does not meet: `status`, `attribute tool.id`. */
export function differingParts(query: SpanQuery, span: Span, context: QueryContext): readonly string[] {
  const parts = Object.entries(query).flatMap(([key, test]) =>
    key === 'attributes'
      ? Object.entries(test as object).map(
          ([name, one]) => [`attribute ${displayName(name)}`, { attributes: { [name]: one } }] as const,
        )
      : [[key, { [key]: test }] as const],
  );
  return parts.filter(([, part]) => !compileSpanQuery(part as SpanQuery, context)(span)).map(([name]) => name);
}
