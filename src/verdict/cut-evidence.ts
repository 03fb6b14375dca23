import type { ModelCall } from '../agent/run.ts';
import type { AttributeTest } from '../trace/attribute-test.ts';
import type { Attributes, AttributeValue } from '../trace/attributes.ts';
import { cutLoss, mayBeCut } from '../trace/cut-values.ts';
import type { Span } from '../trace/span.ts';
import type { AttributeTests, SpanQuery } from '../trace/span-query.ts';
import type { View } from './assertion.ts';
import type { MissingEvidence, Verdict } from './verdict.ts';

const places = [
  ['attribute', 'attributes', (span: Span) => span.attributes],
  ['resource attribute', 'resource', (span: Span) => span.resource.attributes],
  ['scope attribute', 'scopeAttributes', (span: Span) => span.scope.attributes],
] as const;

const mostNamed = 5;

/** What queries ask of values that a server has cut short, and what is left of them does not decide. */
export function cutBehindQueries(view: View, queries: readonly (SpanQuery | undefined)[]): readonly MissingEvidence[] {
  const losses = cutLosses(view);
  if (losses.size === 0) return [];
  const asked = queries.flatMap(withInner);
  const undecided = view.run.traces.flatMap(({ spans }) => spans.flatMap((span) => undecidedOf(span, asked)));
  return [...new Set(undecided)]
    .filter((loss) => losses.has(loss))
    .slice(0, mostNamed)
    .map(missingBehind);
}

/** The losses that would matter to these queries. */
function undecidedOf(span: Span, asked: readonly SpanQuery[]): readonly string[] {
  return places.flatMap(([name, part, attributesOf]) =>
    asked
      .flatMap((query) => undecidedKeys(query[part], attributesOf(span)))
      .map((key) => cutLoss(name, key, span.spanId)),
  );
}

/** Likewise of the words of a call's output: plain text that ends where a server cuts. */
export function cutBehindAnswer(
  view: View,
  { spans }: ModelCall,
  texts: readonly string[],
): readonly MissingEvidence[] {
  if (!texts.some(mayBeCut)) return [];
  const losses = [...cutLosses(view)];
  return losses
    .filter((loss) => spans.some(({ spanId }) => loss.includes(` of ${spanId} cut at `)))
    .slice(0, mostNamed)
    .map(missingBehind);
}

/** What an inconclusive verdict may lack because a server cut it: such values are read as content that is not there. */
export function withCutsNamed(verdict: Verdict, view: View): Verdict {
  if (verdict.status !== 'inconclusive' || !verdict.missing.some(({ kind }) => hangsOnContent.includes(kind)))
    return verdict;
  const named = verdict.missing.some(({ message }) => message.includes(' cut at '));
  const losses = named ? [] : [...cutLosses(view)].slice(0, mostNamed);
  return losses.length === 0 ? verdict : { ...verdict, missing: [...verdict.missing, ...losses.map(missingBehind)] };
}

const hangsOnContent = ['content', 'visibility', 'recovery', 'not-exercised', 'nothing-examined'];

function cutLosses({ traces }: View): ReadonlySet<string> {
  return new Set(traces.flatMap(({ facts }) => facts.losses.filter((loss) => loss.includes(' cut at '))));
}

function missingBehind(loss: string): MissingEvidence {
  return { kind: 'content', message: `${loss}, and what stood behind may decide; raise the limit of the server` };
}

function withInner(query: SpanQuery | undefined): readonly SpanQuery[] {
  if (query === undefined) return [];
  const { childOf, under, parentOf, above, after, all = [], any = [], not } = query;
  return [query, ...[childOf, under, parentOf, above, after, not, ...all, ...any].flatMap(withInner)];
}

function undecidedKeys(tests: AttributeTests | undefined, attributes: Attributes): readonly string[] {
  if (tests === undefined) return [];
  return Object.entries(tests).flatMap(([key, test]) => (hangsOnTheEnd(test, attributes.get(key)) ? [key] : []));
}

/** Shorter texts than a cut leaves are equal or not whatever stood behind it, and so is how a text begins. */
function hangsOnTheEnd(test: AttributeTest, value: AttributeValue | undefined): boolean {
  if (typeof test === 'object' && 'contains' in test)
    return typeof value !== 'string' || !value.includes(test.contains);
  if (typeof test === 'object' && ('endsWith' in test || 'like' in test)) return true;
  return JSON.stringify(test).length > shortestThatMayBeCut;
}

/** Characters: a cut leaves 2,045 bytes or more, and a character has at most four. */
const shortestThatMayBeCut = 500;
