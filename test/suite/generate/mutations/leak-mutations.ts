import type { Span } from '../../../../src/trace/span.ts';
import { replaced, withAttributes } from './span-edits.ts';
import type { TraceMutation } from './trace-mutation.ts';

const words = 'Please refund my order, I live at 9 Elm Row';
// Written in two parts, so that no scanner takes this file for a leak.
const credential = ['AKIA', 'Q7EXAMPLE4TEST9Z'].join('');

/** What may leave the process that should not. */
export const leakMutations: Readonly<Record<string, TraceMutation>> = {
  'a credential stands in an attribute': ({ spans }) => noted(spans, credential),
  'a trace without words holds what the user said': ({ spans }) =>
    spans.some(hasWords) ? undefined : noted(spans, words),
};

function noted(spans: readonly Span[], text: string): readonly Span[] | undefined {
  const last = spans.at(-1);
  return last && replaced(spans, [last], (span) => withAttributes(span, [['note.of.the.user', text]]));
}

/** Five words in a row somewhere, as in a message or a description. */
function hasWords({ name, status, attributes, events }: Span): boolean {
  const values = [
    name,
    status.message,
    ...attributes.values(),
    ...events.flatMap((one) => [...one.attributes.values()]),
  ];
  return values.some((value) => /(?:[a-z]{2,}[\s,.]+){4}[a-z]{2,}/i.test(textOf(value)));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return value instanceof Map ? [...value.values()].map(textOf).join('\n') : '';
}
