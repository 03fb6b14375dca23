import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { type MemoryCollector, memoryCollector } from '../../collectors/memory.ts';
import { readRuns } from '../../src/agent/run-reader.ts';
import type { RecordRun } from '../../src/faults/reference/plan-lint.ts';
import { readContentBeside, withContentBeside } from '../../src/instrument/content-beside.ts';
import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { View } from '../../src/verdict/assertion.ts';

export const memory: MemoryCollector = memoryCollector();
const order = new Map<string, number>();

/** Hands spans on as the instrumentation does in content mode, less its search for secrets, which takes most of the time. */
const processor = {
  onStart(span: { spanContext(): { spanId: string } }) {
    order.set(span.spanContext().spanId, order.size);
  },
  onEnd(span: ReadableSpan) {
    const attributes = {
      ...withContentBeside(span),
      [ownAttributes.segment]: 'e1e1e1e1e1e1e1e1',
      [ownAttributes.eventIndex]: order.get(span.spanContext().spanId) ?? 0,
    };
    const copy = new Proxy(span, { get: (at, key) => (key === 'attributes' ? attributes : Reflect.get(at, key, at)) });
    memory.exporter.export([copy as never], () => {});
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};

/** Registers the real SDK for this test file. */
export function setUpTracing(): void {
  readContentBeside();
  context.disable();
  trace.disable();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor as never] }));
}

export function viewOfTraces(traces: readonly CollectedTrace[]): View {
  const [run] = readRuns(traces, { oneRun: true });
  if (run === undefined) throw new Error('no run was recorded');
  return {
    run,
    traces,
    source: { kind: 'memory', acceptsSettled: false, beforeDeadline: false },
    remoteRoot: false,
    digest: () => null,
    unselected: [],
  };
}

/** Runs work and reads what it left. One at a time. */
export const record: RecordRun = async (work) => {
  memory.reset();
  order.clear();
  const value = await work();
  const traces: CollectedTrace[] = [];
  const collection = await memory.collect();
  for await (const group of collection.groups()) traces.push(...group);
  return { value, view: viewOfTraces(traces) };
};
