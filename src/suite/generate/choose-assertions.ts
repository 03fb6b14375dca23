import type { View } from '../../verdict/assertion.ts';
import type { AssertionRegistry } from '../assertion-registry.ts';
import { evaluateAssertion } from '../judge/evaluate-assertion.ts';
import { parseAssertion } from '../parse-assertion.ts';
import type { AssertionDocument } from '../suite-document.ts';
import type { Candidate } from './candidate.ts';

export interface Chosen {
  readonly assertions: readonly AssertionDocument[];
  readonly leftOut: readonly LeftOut[];
}

/** What was not written as strictly as it might be, or not at all: these runs do not pass it, or cannot decide it. */
export interface LeftOut {
  readonly assertion: string;
  /** A weaker way was written in its place. */
  readonly weakened: boolean;
  /** What is missing, or the code of what was found; no content. */
  readonly why: string;
}

/** Of each candidate the strictest way in which every run passes it: nothing is written that was not seen to hold. */
export function chooseAssertions(
  candidates: readonly Candidate[],
  views: readonly View[],
  registry: AssertionRegistry,
): Chosen {
  const chosen: ChosenWay[] = [];
  const leftOut: LeftOut[] = [];
  for (const candidate of candidates) {
    const reasons = candidate.ways.map((way) => whyNot({ [candidate.name]: way }, views, registry));
    const at = reasons.indexOf(undefined);
    const way = candidate.ways[at];
    if (way !== undefined) chosen.push({ candidate, way });
    if (at === 0) continue;
    const why = (way === undefined ? reasons.at(-1) : reasons[0]) ?? '';
    leftOut.push({ assertion: candidate.name, weakened: way !== undefined, why });
    for (const other of candidate.otherwise ?? []) {
      const holds = other.ways.find((one) => whyNot({ [other.name]: one }, views, registry) === undefined);
      if (holds !== undefined) chosen.push({ candidate: other, way: holds });
    }
  }
  return { assertions: merged(chosen), leftOut };
}

interface ChosenWay {
  readonly candidate: Candidate;
  readonly way: Readonly<Record<string, unknown>>;
}

/** `undefined` where every run passes. */
function whyNot(document: AssertionDocument, views: readonly View[], registry: AssertionRegistry): string | undefined {
  const { value } = parseAssertion(document, registry, []);
  if (value === undefined) return 'it cannot be written in a suite';
  if (views.length === 0) return 'there is no run';
  for (const view of views) {
    const { verdict } = evaluateAssertion(value, view);
    if (verdict === undefined) return 'it could not be evaluated';
    if (verdict.status === 'passed') continue;
    return verdict.missing[0]?.message ?? verdict.findings[0]?.code ?? verdict.status;
  }
  return undefined;
}

function merged(chosen: readonly ChosenWay[]): AssertionDocument[] {
  const hasWholeOrder = chosen.some(
    ({ candidate, way }) => candidate.name === 'ToolOrder' && way['mode'] === 'inOrder',
  );
  const documents: { name: string; parameters: Record<string, unknown> }[] = [];
  for (const { candidate, way } of chosen) {
    if (candidate.merge === 'order' && hasWholeOrder) continue;
    const known = candidate.merge === undefined ? undefined : documents.find(({ name }) => name === candidate.name);
    if (known === undefined) documents.push({ name: candidate.name, parameters: { ...way } });
    else known.parameters = joined(known.parameters, way);
  }
  const written = documents.map(({ name, parameters }) =>
    Object.keys(parameters).length === 0 ? name : { [name]: parameters },
  );
  // Two candidates may fall back on the same spans.
  return [...new Map(written.map((document) => [JSON.stringify(document), document])).values()];
}

function joined(a: Record<string, unknown>, b: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const lists = Object.entries(b).map(([key, value]) => {
    const before = a[key];
    return [key, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value] as const;
  });
  return { ...a, ...Object.fromEntries(lists) };
}
