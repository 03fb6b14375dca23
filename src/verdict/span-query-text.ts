import { displayName } from '../trace/display-name.ts';
import type { Span } from '../trace/span.ts';
import { compileSpanQuery, type QueryContext, type SpanQuery } from '../trace/span-query.ts';
import { listed, quoted } from './wording.ts';

/** `name "chat" and status not error`: names and codes; of attributes only the keys. */
export function queryText(query: SpanQuery): string {
  const { name, kind, status, service, scope, attributes, event, step, childOf, under } = query;
  const parts = [
    ...(name === undefined ? [] : [`name ${testText(name)}`]),
    ...(kind === undefined ? [] : [`kind ${testText(kind)}`]),
    ...(status === undefined ? [] : [`status ${testText(status)}`]),
    ...(service === undefined ? [] : [`service ${testText(service)}`]),
    ...(scope === undefined ? [] : [`scope ${testText(scope)}`]),
    ...Object.keys(attributes ?? {}).map((key) => `attribute ${displayName(key)} as wanted`),
    ...(event === undefined ? [] : [`event ${testText(event)}`]),
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(childOf === undefined ? [] : [`child of (${queryText(childOf)})`]),
    ...(under === undefined ? [] : [`under (${queryText(under)})`]),
  ];
  return parts.length === 0 ? 'any span' : parts.join(', ');
}

function testText(test: NonNullable<SpanQuery['name' | 'kind' | 'status']>): string {
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
