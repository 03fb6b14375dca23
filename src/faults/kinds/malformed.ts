import type { DocumentOf, Fault } from './fault.ts';

export const malformedFault: Fault<DocumentOf<'malformed'>> = {
  kind: 'malformed',
  presents: 'success',
  catchableBy: 'schema',
  summary: 'a good answer in which one named field is missing or of another type',
  async inject({ run }, { field, as }) {
    const answer = structuredClone(await run());
    const holder = holderOf(answer, field.split('.').slice(0, -1));
    const name = field.split('.').at(-1) ?? field;
    if (holder === undefined || !Object.hasOwn(holder, name)) return { inapplicable: 'the answer has no such field' };
    if (as === 'missing') delete holder[name];
    else holder[name] = as === 'null' ? null : otherType(holder[name]);
    return { returned: answer };
  },
};

function holderOf(answer: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let here = answer;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string, unknown>)[step];
  }
  return typeof here === 'object' && here !== null ? (here as Record<string, unknown>) : undefined;
}

function otherType(value: unknown): unknown {
  return typeof value === 'string' ? 0 : 'unknown';
}
