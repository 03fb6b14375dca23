import type { Run } from '../agent/run.ts';
import type { Span } from '../trace/span.ts';
import { compileSpanQuery, type SpanQuery, type SpanStepKind } from '../trace/span-query.ts';

/** Which runs a scenario judges; every key that is given must fit. Nothing given: every run. */
export interface RunSelection {
  /** `service.name` of at least one span of the run. */
  readonly service?: string | undefined;
  readonly runId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Name of the run's agent, or of an agent that took a step in it. */
  readonly agent?: string | undefined;
  readonly traceId?: string | undefined;
  /** At least one span of the run matches. */
  readonly span?: SpanQuery | undefined;
}

/** True where the run is one that the scenario judges. */
export function isSelected(run: Run, selection: RunSelection): boolean {
  const { service, runId, conversationId, agent, traceId, span } = selection;
  return (
    (runId === undefined || run.runId === runId) &&
    (conversationId === undefined || run.conversationId === conversationId) &&
    (traceId === undefined || run.traces.some((trace) => trace.traceId === traceId.toLowerCase())) &&
    (agent === undefined || run.agent === agent || run.steps.some((step) => step.agent === agent)) &&
    (service === undefined || hasService(run, service)) &&
    (span === undefined || hasSpan(run, span))
  );
}

function hasService(run: Run, service: string): boolean {
  return run.traces.some(({ spans }) =>
    spans.some(({ resource }) => resource.attributes.get('service.name') === service),
  );
}

function hasSpan(run: Run, query: SpanQuery): boolean {
  let kinds: Map<Span, SpanStepKind> | undefined;
  const stepKindOf = (span: Span): SpanStepKind | undefined => {
    kinds ??= new Map(run.steps.flatMap(({ kind, spans }) => spans.map((each) => [each, kind] as const)));
    return kinds.get(span);
  };
  return run.traces.some((trace) => trace.spans.some(compileSpanQuery(query, { trace, stepKindOf })));
}
