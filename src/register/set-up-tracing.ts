import { type Context, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanProcessor as AnySpanProcessor } from '../instrument/sdk-shapes.ts';
import { AsyncContext } from './async-context.ts';
import type { SamplerChoice } from './sampler-choice.ts';

export interface TracingSetUp {
  readonly processors: readonly AnySpanProcessor[];
  readonly serviceName?: string;
  /** Further attributes of the resource. */
  readonly resource?: Readonly<Record<string, string>>;
  /** Also what `OTEL_RESOURCE_ATTRIBUTES` says. Default false. */
  readonly resourceFromEnvironment?: boolean;
  /** Default: what the caller decided, else every trace. */
  readonly sampling?: SamplerChoice;
}

/**
 * The one place where classes of the SDK are made: a provider with the W3C propagators and contexts that follow
 * asynchronous code. Works on SDK 2.12 and 3.x, whichever is installed.
 */
export function createProvider(setUp: TracingSetUp): TracerProvider {
  const { processors, serviceName, resource, resourceFromEnvironment, sampling } = setUp;
  const attributes = { ...resource, ...(serviceName === undefined ? {} : { 'service.name': serviceName }) };
  return new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: resourceFromEnvironment === true ? [envDetector] : [] }))
      .merge(resourceFromAttributes(attributes)),
    ...(sampling === undefined ? {} : { sampler: samplerOf(sampling) }),
    // The shapes are those of both SDK lines, so to either one they are its own.
    spanProcessors: processors as unknown as SpanProcessor[],
  });
}

function samplerOf({ followsParent, roots, share }: SamplerChoice): Sampler {
  const root = {
    all: () => new AlwaysOnSampler(),
    none: () => new AlwaysOffSampler(),
    share: () => new TraceIdRatioBasedSampler(share),
  }[roots]();
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

/**
 * Makes a provider the one that `@opentelemetry/api` hands out; false where another one is there already. Code that is
 * in no other context runs in `base`.
 */
export function installProvider(provider: TracerProvider, base: Context = ROOT_CONTEXT): boolean {
  if (!trace.setGlobalTracerProvider(provider)) return false;
  context.setGlobalContextManager(new AsyncContext(base));
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
  return true;
}
