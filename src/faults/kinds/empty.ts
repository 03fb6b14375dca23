import type { DocumentOf, Fault } from './fault.ts';

export const emptyFault: Fault<DocumentOf<'empty'>> = {
  kind: 'empty',
  presents: 'success',
  catchableBy: 'agent',
  summary: 'a good answer with zero rows',
  async inject({ run, spec }) {
    if (spec.empty !== undefined) return { returned: spec.empty };
    const emptied = withoutRows(await run());
    return emptied === undefined ? { inapplicable: 'the answer holds no rows to leave out' } : { returned: emptied };
  },
};

/** The same shape without rows: lists emptied, their counts zero. */
function withoutRows(answer: unknown): unknown {
  if (Array.isArray(answer)) return [];
  if (typeof answer !== 'object' || answer === null) return undefined;
  const entries = Object.entries(answer);
  if (!entries.some(([, value]) => Array.isArray(value))) return undefined;
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? [] : isCount(key, value) ? 0 : value]),
  );
}

function isCount(key: string, value: unknown): boolean {
  return typeof value === 'number' && /^(count|total|size|length)$/i.test(key);
}
