import type { Run } from '../../agent/run.ts';
import { displayName } from '../../trace/display-name.ts';
import { isSpanName } from '../../trace/privacy/span-names.ts';
import type { Span } from '../../trace/span.ts';
import type { SpanQuery } from '../../trace/span-query.ts';
import type { Candidate } from './candidate.ts';
import { spanCount } from './observed-count.ts';

/** A name of a tool, agent or model that a suite may hold. */
export function isWritable(name: string | null | undefined): name is string {
  return name !== null && name !== undefined && name.trim() !== '' && displayName(name) === name;
}

/** A name that code gives to a span, and that the same span has in the next run: no words of a user, no id. */
export function isStableSpanName(name: string): boolean {
  return isWritable(name) && isSpanName(name) && !/[0-9a-f]{8}/i.test(name);
}

/** A name as the next run has it too, ids in it left open; `undefined` where it may be a user's words. */
export function nameTest(name: string): string | { readonly like: string } | undefined {
  if (isStableSpanName(name)) return name;
  const like = name.replace(/[0-9a-f]{8}[0-9a-f-]*/gi, '*');
  return isWritable(name) && isSpanName(name) && /\w{3}/.test(like) ? { like } : undefined;
}

/** The spans of these names, as often as the runs had them. */
export function namedSpans(runs: readonly Run[], spans: readonly Span[]): Candidate[] {
  const names = [...new Set(spans.map(({ name }) => name))].filter(isStableSpanName);
  return names.map((name) => spanCount(runs, { name }));
}

/** The attribute that holds this value on each of these spans; OpenTelemetry's own name for it comes first. */
export function keyOf(value: string, spans: readonly Span[]): string | undefined {
  const [first, ...rest] = spans;
  if (first === undefined) return undefined;
  const keys = [...first.attributes].flatMap(([key, found]) => (found === value ? [key] : []));
  return keys.filter((key) => rest.every(({ attributes }) => attributes.get(key) === value)).sort(byConvention)[0];
}

/** What selects these spans in any run like this one: the attribute that names them, else the name of the span. */
export function queryOf(value: string, spans: readonly Span[]): SpanQuery | undefined {
  const key = keyOf(value, spans);
  if (key !== undefined) return { attributes: { [key]: value } };
  const [first] = spans;
  return first !== undefined && isStableSpanName(first.name) ? { name: first.name } : undefined;
}

function byConvention(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function rank(key: string): number {
  if (key.startsWith('gen_ai.request.')) return 0;
  return key.startsWith('gen_ai.') ? 1 : 2;
}
