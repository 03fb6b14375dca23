import { trace } from '@opentelemetry/api';
import { OtelEvalError } from '../trace/otel-eval-error.ts';

interface MultiProcessor {
  readonly _spanProcessors?: unknown[];
}

interface ProviderWithProcessors {
  readonly _activeSpanProcessor?: MultiProcessor;
}

/**
 * Adds a processor to the provider that the app has registered. The SDK has had no method for that since version 2, so
 * its list of processors is reached by name (2.12 and 3.1 agree); where it is not there, the error says what to do instead.
 *
 * @returns a function that takes the processor out again
 */
export function attachProcessor(processor: object): () => void {
  const provider = registeredProvider();
  const processors = (provider as ProviderWithProcessors | undefined)?._activeSpanProcessor?._spanProcessors;
  if (!Array.isArray(processors)) {
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      'a tracer provider is registered already, and it is not one to which a processor can be added',
      { hint: 'give `recordTraces({ attach: false }).processor` to that provider where it is made' },
    );
  }
  processors.push(processor);
  return () => {
    const place = processors.indexOf(processor);
    if (place >= 0) processors.splice(place, 1);
  };
}

/** The provider behind the global proxy; `undefined` where only the API's own no-op stands there. */
export function registeredProvider(): object | undefined {
  const global = trace.getTracerProvider() as { getDelegate?: () => object };
  const provider = global.getDelegate?.() ?? global;
  return provider.constructor.name === 'NoopTracerProvider' ? undefined : provider;
}
