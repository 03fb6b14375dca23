import { context, propagation, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterEach, expect, test } from 'vitest';
import { agentSpanProcessor } from '../../src/instrument/index.ts';
import { recordTraces } from '../../src/vitest/index.ts';
import { runScripted } from './agent-under-test.ts';

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});
const calls = [{ tool: 'lookup' }, { tool: 'refund' }];

test('an app that has a provider keeps it, its exporter and its resource', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const traces = recordTraces({ instrumented: ['app'] });
  const run = await traces.record(() => runScripted(trace.getTracer('app'), calls));
  expect(run).toBeJoined();
  expect(run).toHaveSteps(['lookup', 'refund'], { order: 'inOrder' });
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
    'execute_tool lookup',
    'execute_tool refund',
    'invoke_agent support',
  ]);
  await traces.close();
  trace.getTracer('app').startSpan('after').end();
  expect(exporter.getFinishedSpans()).toHaveLength(4);
  expect(traces.leaked()).toEqual([]);
});

test('a provider without a context manager is recorded one run at a time', async () => {
  const provider = new BasicTracerProvider();
  trace.setGlobalTracerProvider(provider);
  const traces = recordTraces();
  const tracer = trace.getTracer('app');
  const run = await traces.record(() => tracer.startSpan('alone').end());
  expect(run).toHaveSpan({ name: 'alone' });
  const first = traces.record(() => new Promise((resolve) => setTimeout(resolve, 20)));
  await expect(traces.record(() => tracer.startSpan('second').end())).rejects.toMatchObject({
    code: 'OTEL_EVAL_USAGE',
    message:
      'expected one recording at a time, since no context manager is registered; register the tracer provider with provider.register(), which sets one',
  });
  await first;
  await traces.close();
});

test('behind the processor that the app sends through, what is recorded is what leaves', async () => {
  const traces = recordTraces({ attach: false });
  new NodeTracerProvider({
    spanProcessors: [agentSpanProcessor({ next: traces.processor, environment: {} })],
  }).register();
  const run = await traces.record(() => runScripted(trace.getTracer('app'), calls));
  expect(run).toBeJoined();
  expect(run).toKeepContentOut();
  expect(run.traces.map(({ completeness }) => completeness.state)).toEqual(['proven']);
  await traces.close();
});

test('recorders of several files in one process: the last one takes the provider down', async () => {
  const [first, second] = [recordTraces(), recordTraces()];
  const kept = trace.getTracer('app');
  kept.startSpan('by a tracer that is kept').end();
  await first.close();
  await first.close();
  const run = await second.record(() => trace.getTracer('app').startSpan('still recorded').end());
  expect(run).toHaveSpan({ name: 'still recorded' });
  await second.close();
  expect(trace.getActiveSpan()).toBeUndefined();
  expect(trace.getTracer('another').startSpan('no more').isRecording()).toBe(false);
  const third = recordTraces();
  expect(await third.record(() => kept.startSpan('by the kept one').end())).toHaveSpan({ name: 'by the kept one' });
  await third.close();
});

test('a provider that cannot be joined is refused with what to do instead', () => {
  trace.setGlobalTracerProvider({ getTracer: () => trace.getTracer('none') });
  expect(() => recordTraces()).toThrow(
    'a tracer provider is registered already, and it is not one to which a processor can be added',
  );
});
