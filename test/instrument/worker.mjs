// A worker thread with a processor of its own; it shares the process id and the trace with whoever started it.
import { parentPort, workerData } from 'node:worker_threads';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { agentRun } = await jiti.import('../../src/instrument/agent-run.ts');
const { agentSpanProcessor } = await jiti.import('../../src/instrument/agent-span-processor.ts');
const { contextFromEnvironment } = await jiti.import('../../src/instrument/environment.ts');
const { toolCall } = await jiti.import('../../src/instrument/tool-call.ts');
const { otlpRequest } = await jiti.import('../../src/register/otlp-span.ts');

const exporter = new InMemorySpanExporter();
const processor = agentSpanProcessor({ next: new SimpleSpanProcessor(exporter) });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));

await context.with(contextFromEnvironment(workerData), () =>
  agentRun({ name: 'worker' }, async () => {
    for (let call = 0; call < 3; call++) await toolCall({ name: 'look', arguments: { call } }, async () => call);
  }),
);
parentPort.postMessage(otlpRequest(exporter.getFinishedSpans()));
