export { type AgentSpanProcessor, agentSpanProcessor } from './agent-span-processor.ts';
export type { Mode } from './content-mode.ts';
export type { CustomRedaction } from './content-redactor.ts';
export type { Counters } from './counters.ts';
export type { AgentSpanProcessorOptions, CommonOptions, OutputOptions } from './options.ts';
export { currentRun } from './run-context.ts';
export type { ReadableSpan, SpanExporter, SpanProcessor } from './sdk-shapes.ts';
export type { RunIdentity } from './segment.ts';
