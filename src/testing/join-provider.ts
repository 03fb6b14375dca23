import { context, propagation, trace } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import type { SpanProcessor } from '../instrument/sdk-shapes.ts';
import { createProvider, installProvider } from '../register/set-up-tracing.ts';
import { attachProcessor, registeredProvider } from './attach-processor.ts';

/**
 * The provider that we set up, and how many recorders use it: a runner may load all test files into one process. It is made
 * once, since apps keep their tracers, which would go on with one that was taken down.
 */
let own: { readonly provider: TracerProvider; users: number } | undefined;

/**
 * Lets a processor see the spans of this process: of the provider that the app has registered, else of one that is set up
 * here. Returns how to take it out again; the last one out takes our provider down.
 */
export function joinProvider(processor: SpanProcessor): () => void {
  if (registeredProvider() === undefined) {
    own ??= { provider: createProvider({ processors: [nobody] }), users: 0 };
    installProvider(own.provider);
  }
  const detach = attachProcessor(processor);
  const joined = own !== undefined && registeredProvider() === own.provider ? own : undefined;
  if (joined !== undefined) joined.users += 1;
  let isOut = false;
  return () => {
    if (isOut) return;
    isOut = true;
    detach();
    if (joined === undefined) return;
    joined.users -= 1;
    if (joined.users === 0) takeDown(joined.provider);
  };
}

/** Keeps the place: a provider that is made without any processor takes none later. */
const nobody: SpanProcessor = {
  onStart() {},
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

function takeDown(provider: TracerProvider): void {
  if (registeredProvider() !== provider) return;
  trace.disable();
  context.disable();
  propagation.disable();
}
