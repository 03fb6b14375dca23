import type { Meter } from '@opentelemetry/api';
import type { SpanExporter, SpanProcessor } from './sdk-shapes.ts';

export interface AgentSpanProcessorOptions {
  /** Where copies go: a span processor, or an exporter (which gets a bounded queue before it). */
  readonly next: SpanProcessor | SpanExporter;
  /** Attribute keys of the app that are metadata: exact, or a beginning that ends in `*`. Default none. */
  readonly keep?: readonly string[];
  /** Span and event names of the app that are metadata, likewise. Names that are one word always pass. */
  readonly keepNames?: readonly string[];
  /** Key for digests of tool arguments; without one there are none. */
  readonly digestKey?: string;
  /** By tool: names of the arguments that identify an operation, for counting attempts. Default: all of them. */
  readonly identity?: Readonly<Record<string, readonly string[]>>;
  /** Reports the processor's counters. */
  readonly meter?: Meter;
}
