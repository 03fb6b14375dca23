import { isObject } from './content.ts';
import { content, count, type Reader, text } from './reading.ts';
import type { Cost, Json } from './run.ts';

/** Keys under which conventions write what a model call cost. Hardly any of them names the currency. */
const amount = count(
  'gen_ai.usage.cost.amount',
  'gen_ai.usage.total_cost',
  'gen_ai.usage.cost',
  'gen_ai.cost.total',
  'gen_ai.cost',
  'operation.cost',
  'llm.cost.total',
);
const currency = text('gen_ai.usage.cost.currency', 'gen_ai.cost.currency');

export const semconvCost: Reader<Cost> = (span, trace) => {
  const found = amount(span, trace);
  if (found === undefined) return undefined;
  return { value: { amount: found.value, currency: currency(span, trace)?.value ?? null }, from: found.from };
};

/** Costs by kind of token, as JSON: the total, or the sum of its parts. */
export function costDetails(key: string): Reader<Cost> {
  const details = content(key);
  return (span, trace) => {
    const found = details(span, trace);
    const total = found !== undefined && isObject(found.value) ? totalOf(found.value) : undefined;
    return found === undefined || total === undefined
      ? undefined
      : { value: { amount: total, currency: null }, from: found.from };
  };
}

function totalOf(details: { readonly [key: string]: Json }): number | undefined {
  if (typeof details['total'] === 'number') return details['total'];
  const parts = Object.values(details).filter((part) => typeof part === 'number');
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}
