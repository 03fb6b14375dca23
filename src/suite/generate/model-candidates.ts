import type { ModelCall, Run } from '../../agent/run.ts';
import type { Candidate } from './candidate.ts';
import { oneOfThese } from './naming-keys.ts';
import { spanCount } from './observed-count.ts';
import { isWritable, keyOf, namedSpans } from './span-identity.ts';

/** How often a model was called, and which one. */
export function modelCandidates(runs: readonly Run[]): Candidate[] {
  const calls = runs.flatMap(({ modelCalls }) => modelCalls).filter(({ spans }) => spans.length > 0);
  if (calls.length === 0) return [];
  // Spans by name: that one of them is gone is told also where the trace would not show it as a call.
  const named = namedSpans(
    runs,
    calls.flatMap(({ spans }) => spans),
  );
  return [...(named.length > 0 ? named : [spanCount(runs, { step: 'model' })]), ...modelNames(calls)];
}

/** Each attribute that names the model names one of those that were called. */
function modelNames(calls: readonly ModelCall[]): Candidate[] {
  const byKey = new Map<string, Set<string>>();
  for (const { model, spans } of calls) {
    if (!isWritable(model)) continue;
    const key = keyOf(model, spans.slice(0, 1));
    if (key !== undefined) byKey.set(key, (byKey.get(key) ?? new Set()).add(model));
  }
  return [...byKey].map(([key, models]) => oneOfThese(key, [...models]));
}
