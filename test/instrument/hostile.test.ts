import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { agentSpanProcessor } from '../../src/instrument/agent-span-processor.ts';
import type { SpanExporter } from '../../src/instrument/sdk-shapes.ts';
import { tracing } from './tracing.ts';

const content = { mode: 'content', environment: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' } };
const modes = [
  ['metadata', {}],
  ['content', content],
] as [string, Parameters<typeof tracing>[0]][];

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;
const values: [string, unknown][] = [
  ['a cycle', cyclic],
  [
    'a getter that throws',
    {
      get x(): never {
        throw new Error('getter');
      },
    },
  ],
  [
    'a Proxy that throws',
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('proxy');
        },
        get: () => {
          throw new Error('proxy');
        },
      },
    ),
  ],
  ['100 MB', 'x'.repeat(100_000_000)],
  ['a deep structure', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)],
];

test.each(modes.flatMap(([mode, options]) => values.map(([what, value]) => [what, mode, options, value] as const)))(
  '%s in %s mode',
  (_what, _mode, options, value) => {
    const { tracer, spans } = tracing(options);
    const span = tracer.startSpan('chat m', { attributes: { 'gen_ai.operation.name': 'chat' } });
    // Past the checks of the SDK, as an instrumentation that writes to the object itself does.
    (span as unknown as ReadableSpan).attributes['gen_ai.input.messages'] = value as never;
    (span as unknown as ReadableSpan).attributes['key\u0000with NUL'] = 'x';
    expect(() => span.end()).not.toThrow();
    expect(spans()[0]?.attributes['gen_ai.operation.name']).toBe('chat');
    expect(JSON.stringify(spans()[0]?.attributes).length).toBeLessThan(80_000);
  },
);

test('an attribute whose own getter throws costs the span its attributes, not its place in the receipt', () => {
  const { tracer, spans, processor } = tracing();
  const span = tracer.startSpan('chat m');
  Object.defineProperty((span as unknown as ReadableSpan).attributes, 'bad', {
    enumerable: true,
    get: () => {
      throw new Error('x');
    },
  });
  span.end();
  expect(spans()[0]?.attributes['otel_eval.receipt.spans']).toBe(1);
  expect(processor.counters.failed).toBe(1);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('exporter');
    },
  ],
  ['hangs', () => {}],
  ['fails', (_spans: unknown, done: (result: { code: number }) => void) => done({ code: 1 })],
] as [string, SpanExporter['export']][])('an exporter that %s', async (_what, send) => {
  const processor = agentSpanProcessor({ next: { export: send, shutdown: async () => {} } });
  const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('t');
  for (let count = 0; count < 5_000; count++) tracer.startSpan('chat m').end();
  expect(processor.counters.seen).toBe(5_000);
  // The queue holds 2,048; the rest is dropped and counted, or was handed to the exporter that took it.
  expect(processor.counters.dropped + processor.counters.failed).toBeGreaterThan(0);
});

test('a span that an exporter wraps with Object.create still reads as a span', () => {
  const { tracer, spans } = tracing();
  tracer
    .startSpan('chat m', { attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.prompt': 'words' } }, ROOT_CONTEXT)
    .end();
  const wrapped = Object.create(spans()[0] as object) as ReadableSpan;
  expect(wrapped.name).toBe('chat m');
  expect(wrapped.attributes['gen_ai.operation.name']).toBe('chat');
  expect(wrapped.spanContext().traceId).toBe(spans()[0]?.spanContext().traceId);
  expect(JSON.stringify(wrapped) + JSON.stringify(spans()[0])).not.toContain('words');
  expect(trace.getSpan(ROOT_CONTEXT)).toBeUndefined();
});
