import type { Span } from '../trace/span.ts';
import { type QueryContext, type SpanQuery, type SpanStepKind, selectSpans } from '../trace/span-query.ts';
import type { Trace } from '../trace/trace.ts';
import type { View } from './assertion.ts';
import type { Fact } from './sight.ts';
import { listed, quoted } from './wording.ts';

/** The spans of one trace that a query selects. */
export interface SelectedSpans {
  readonly trace: Trace;
  readonly spans: readonly Span[];
  readonly context: QueryContext;
}

export function selectInRun(view: View, query: SpanQuery): readonly SelectedSpans[] {
  const stepKindOf = stepKinds(view);
  return view.run.traces.map((trace) => {
    const context = { trace, stepKindOf };
    return { trace, spans: selectSpans(query, context), context };
  });
}

/** Made when the first query asks for a step, and not before. */
function stepKinds(view: View): (span: Span) => SpanStepKind | undefined {
  let kinds: Map<Span, SpanStepKind> | undefined;
  return (span) => {
    kinds ??= new Map(view.run.steps.flatMap(({ kind, spans }) => spans.map((one) => [one, kind] as const)));
    return kinds.get(span);
  };
}

const factsOfStep: Partial<Record<SpanStepKind, readonly Fact[]>> = {
  tool: ['toolCalls', 'failedToolCalls'],
  model: ['modelCalls', 'failedModelCalls'],
  agent: ['subAgents'],
};

/** A query by step asks for facts of the run, and its spans tell of them only as far as they are shown. */
export function factsBehindQuery(query: SpanQuery | undefined): readonly Fact[] {
  if (query === undefined) return [];
  const own = query.step === undefined ? [] : (factsOfStep[query.step] ?? []);
  const { childOf, under, parentOf, above, after, all = [], any = [], not } = query;
  const inner = [childOf, under, parentOf, above, after, not, ...all, ...any].flatMap(factsBehindQuery);
  return [...new Set([...own, ...inner])];
}

/** The names of the spans that are there, for a reader who looks for another one. */
export function namesHere(view: View): string {
  const names = new Set<string>();
  for (const trace of view.run.traces) for (const { name } of trace.spans) names.add(quoted(name));
  return names.size === 0 ? 'the run has no spans' : `the spans of the run are ${listed([...names])}`;
}
