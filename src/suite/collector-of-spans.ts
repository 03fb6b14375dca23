import type { SdkSpan } from '../../collectors/memory/sdk-span.ts';
import { memoryCollector } from '../../collectors/memory.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Collector } from '../trace/trace-set.ts';

/** What may stand for traces of this process: a collector, an exporter of the SDK, or its finished spans. */
export type SpanGiver = Collector | { getFinishedSpans(): readonly SdkSpan[] } | readonly SdkSpan[];

/**
 * The collector of spans that a suite or a test brings along; a function is called for them, and may be async (it can run
 * the agent).
 *
 * @example
 * const collector = await collectorOfSpans(exporter.getFinishedSpans());
 */
export async function collectorOfSpans(given: unknown): Promise<Collector> {
  const value: unknown = typeof given === 'function' ? await (given as () => unknown)() : await given;
  if (isCollector(value)) return value;
  const spans = isExporter(value) ? value.getFinishedSpans() : value;
  if (!Array.isArray(spans)) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected spans of the SDK for source memory, got something else', {
      hint: 'give traces: { source: "memory", spans: () => exporter.getFinishedSpans() } in a TypeScript suite',
    });
  }
  const memory = memoryCollector();
  memory.exporter.export(spans as SdkSpan[], () => {});
  return memory;
}

/** What was given, but of an exporter or a list only the spans of one trace. */
export async function spansOfTrace(given: unknown, traceId: string): Promise<unknown> {
  const value: unknown = typeof given === 'function' ? await (given as () => unknown)() : await given;
  const spans = isExporter(value) ? value.getFinishedSpans() : value;
  return Array.isArray(spans) ? spans.filter((span: SdkSpan) => span.spanContext().traceId === traceId) : value;
}

function isCollector(value: unknown): value is Collector {
  return typeof (value as Collector | null | undefined)?.collect === 'function';
}

function isExporter(value: unknown): value is { getFinishedSpans(): readonly SdkSpan[] } {
  return typeof (value as { getFinishedSpans?: unknown } | null | undefined)?.getFinishedSpans === 'function';
}
