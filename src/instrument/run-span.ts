import { type Context, createContextKey, type Span } from '@opentelemetry/api';

/** Where the span of a run is put once it has started: what is called inside has been given its context by then. */
export interface RunSpanPlace {
  span: Span | undefined;
}

const placeKey = createContextKey('otel-eval.run-span');

/** The context with a place for the span of the run; an agent that is called by another one shares the outer place. */
export function withRunSpanPlace(from: Context, sharesOuter: boolean): readonly [Context, RunSpanPlace] {
  const outer = from.getValue(placeKey) as RunSpanPlace | undefined;
  if (sharesOuter && outer !== undefined) return [from, outer];
  const place: RunSpanPlace = { span: undefined };
  return [from.setValue(placeKey, place), place];
}

/** The span of the run that goes on here, as `agentRun` has made it. */
export function runSpanIn(from: Context): Span | undefined {
  return (from.getValue(placeKey) as RunSpanPlace | undefined)?.span;
}
