export { type AgentSpanProcessor, agentSpanProcessor } from './agent-span-processor.ts';
export type { Counters } from './counters.ts';
export type { AgentSpanProcessorOptions } from './options.ts';
export { currentRun } from './run-context.ts';
export type { ReadableSpan, SpanExporter, SpanProcessor } from './sdk-shapes.ts';
export type { RunIdentity } from './segment.ts';
