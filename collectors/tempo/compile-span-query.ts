import type { AttributeTest, TextTest } from '../../src/trace/attribute-test.ts';
import type { SpanQuery } from '../../src/trace/span-query.ts';
import { TraceQl } from './trace-ql.ts';

/**
 * The part of a query by which Tempo can narrow a search: plain values of one span. Parents, patterns and negations are
 * left to the reader, which sees the whole trace. `undefined` where nothing is left.
 *
 * @example
 * compileSpanQuery({ name: 'chat', attributes: { 'gen_ai.tool.name': 'refund' } })?.text;
 * // '((span:name = "chat") && (span."gen_ai.tool.name" = "refund"))'
 */
export function compileSpanQuery(query: SpanQuery): TraceQl | undefined {
  const conditions = [
    anyOf(query.name, (name) => TraceQl.name('span:name', String(name))),
    anyOf(query.kind, (kind) => TraceQl.word('span:kind', String(kind))),
    anyOf(query.status, (status) => TraceQl.word('span:status', String(status))),
    anyOf(query.service, (service) => TraceQl.attribute('resource', 'service.name', service)),
    anyOf(query.scope, (scope) => TraceQl.name('instrumentation:name', String(scope))),
    anyOf(query.event, (event) => TraceQl.name('event:name', String(event))),
    ...Object.entries(query.attributes ?? {}).map(([key, test]) =>
      /\p{Cc}/u.test(key) || key === '' ? undefined : anyOf(test, (value) => TraceQl.attribute('span', key, value)),
    ),
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? undefined : TraceQl.all(conditions);
}

type Value = string | number | boolean;

/** A condition that holds where one of the values of a test does; `undefined` where the test is not of that kind. */
function anyOf(
  test: SpanQuery['kind'] | SpanQuery['status'] | TextTest | AttributeTest,
  condition: (value: Value) => TraceQl,
): TraceQl | undefined {
  if (test === undefined) return undefined;
  const values: readonly Value[] = typeof test !== 'object' ? [test] : 'oneOf' in test ? test.oneOf : [];
  return values.length > 0 && values.every(canBeAsked) ? TraceQl.any(values.map(condition)) : undefined;
}

/** A stock Tempo has cut longer texts, so it would not find them; an empty one matches what is not there at all. */
function canBeAsked(value: Value): boolean {
  if (typeof value === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(String(value));
  return typeof value !== 'string' || (value !== '' && !value.includes('\0') && Buffer.byteLength(value) < 2_045);
}
