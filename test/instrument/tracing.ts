import { context, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type AgentSpanProcessor, agentSpanProcessor } from '../../src/instrument/agent-span-processor.ts';
import type { AgentSpanProcessorOptions } from '../../src/instrument/options.ts';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

export interface Tracing {
  readonly tracer: Tracer;
  readonly processor: AgentSpanProcessor;
  readonly provider: BasicTracerProvider;
  /** What reached the exporter. */
  spans(): ReadableSpan[];
}

/** The real SDK with our processor before an in-memory exporter. */
export function tracing(options: Partial<AgentSpanProcessorOptions> = {}, sampler?: Sampler): Tracing {
  const exporter = new InMemorySpanExporter();
  const processor = agentSpanProcessor({ next: new SimpleSpanProcessor(exporter), ...options });
  const provider = new BasicTracerProvider({
    spanProcessors: [processor],
    ...(sampler === undefined ? {} : { sampler }),
  });
  return { tracer: provider.getTracer('test'), processor, provider, spans: () => exporter.getFinishedSpans() };
}
