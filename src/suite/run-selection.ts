import type { Run } from '../agent/run.ts';

/** Which runs a scenario judges; every key that is given must fit. Nothing given: every run. */
export interface RunSelection {
  /** `service.name` of at least one span of the run. */
  readonly service?: string | undefined;
  readonly runId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Name of the run's agent, or of an agent that took a step in it. */
  readonly agent?: string | undefined;
  readonly traceId?: string | undefined;
}

/** True where the run is one that the scenario judges. */
export function isSelected(run: Run, selection: RunSelection): boolean {
  const { service, runId, conversationId, agent, traceId } = selection;
  return (
    (runId === undefined || run.runId === runId) &&
    (conversationId === undefined || run.conversationId === conversationId) &&
    (traceId === undefined || run.traces.some((trace) => trace.traceId === traceId.toLowerCase())) &&
    (agent === undefined || run.agent === agent || run.steps.some((step) => step.agent === agent)) &&
    (service === undefined || hasService(run, service))
  );
}

function hasService(run: Run, service: string): boolean {
  return run.traces.some(({ spans }) =>
    spans.some(({ resource }) => resource.attributes.get('service.name') === service),
  );
}
