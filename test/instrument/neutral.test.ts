// An app with our instrumentation does what it does without: same results, same errors, same objects, same order.
import { context, metrics, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { memory } from '../../src/instrument/memory.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { retrieval } from '../../src/instrument/retrieval.ts';
import type { SpanExporter, SpanProcessor } from '../../src/instrument/sdk-shapes.ts';
import { toolCall } from '../../src/instrument/tool-call.ts';
import { tracing } from './tracing.ts';

afterEach(() => trace.disable());

const cyclic: Record<string, unknown> = { name: 'order' };
cyclic['self'] = cyclic;
const throwing = {
  get total(): number {
    throw new Error('getter');
  },
};
const proxy = new Proxy({}, { ownKeys: () => [], get: (_target, name) => (name === 'then' ? undefined : 7) });
const huge = 'x'.repeat(100_000_000);
const failure = new Error('no such order');
const hits = [cyclic];

/** All that an app gets back from the helpers, and what it saw on the way. */
async function app(): Promise<unknown[]> {
  const seen: unknown[] = [];
  const tool = <Value>(given: unknown, run: () => Value) => toolCall({ name: 'look', arguments: given }, run);
  await agentRun({ name: 'a', input: 'words' }, async () => {
    for (const value of [cyclic, throwing, proxy, huge, 'key\u0000', undefined, 1n]) {
      seen.push(
        tool(value, () => value),
        await tool({ value }, async () => value),
      );
    }
    seen.push(await tool({}, () => Promise.reject(failure)).catch((error: unknown) => error));
    try {
      tool({}, () => {
        throw failure;
      });
    } catch (error) {
      seen.push(error);
    }
    const stream = modelCall({ model: 'm', provider: 'openai', input: [cyclic] }, async function* () {
      yield 1;
      yield 2;
    });
    for await (const item of stream) seen.push(item);
    seen.push(retrieval({ dataSource: 's', query: 'q' }, () => hits));
    seen.push(memory({ operation: 'search_memory', query: 'q' }, () => throwing));
  });
  return seen;
}

const fail = (): never => {
  throw new Error('exporter');
};
const done = async (): Promise<void> => {};
const exporter = (send: SpanExporter['export']): SpanExporter => ({ export: send, shutdown: done });
const broken: SpanProcessor = { onStart: fail, onEnding: fail, onEnd: fail, forceFlush: done, shutdown: done };
const outputs: [string, SpanProcessor | SpanExporter][] = [
  ['an exporter that throws', exporter(fail)],
  ['an exporter that hangs', exporter(() => {})],
  ['an exporter that fails', exporter((_spans, end) => end({ code: 1, error: failure }))],
  ['an exporter that answers twice', exporter((_spans, end) => [end({ code: 0 }), end({ code: 1 })])],
  ['a processor that throws', broken],
];
const environment = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };

test.each(
  outputs.flatMap(([what, next]) => (['metadata', 'content'] as const).map((mode) => [what, mode, next] as const)),
)('%s, %s mode', async (_what, mode, next) => {
  const without = await app();
  const here = tracing({ next, mode, environment } as never);
  trace.setGlobalTracerProvider(here.provider);
  const active = context.active();
  const withUs = await app();
  expect(context.active()).toBe(active);
  expect(withUs).toHaveLength(without.length);
  // The very same objects, not equal ones.
  expect(withUs.findIndex((value, index) => !Object.is(value, without[index]))).toBe(-1);
  expect(here.processor.counters.seen).toBeGreaterThan(15);
});

test('an event loop that is frozen: spans wait in a bounded queue, the rest is dropped and counted', () => {
  let asked = 0;
  const here = tracing({
    next: exporter(() => {
      asked++;
    }),
  } as never);
  // Nothing but this runs in the meantime.
  for (let count = 0; count < 20_000; count++) here.tracer.startSpan('chat m').end();
  const { seen, dropped, failed } = here.processor.counters;
  expect({ asked, seen, dropped, failed }).toEqual({
    asked: 1,
    seen: 20_000,
    dropped: 20_000 - 2_048 - 512,
    failed: 0,
  });
});

test('the counters are exported through a meter of the app', () => {
  const observed: Record<string, number> = {};
  const callbacks: (() => void)[] = [];
  const meter = {
    ...metrics.getMeter('test'),
    createObservableCounter: (name: string) => ({
      addCallback: (observe: (result: { observe(value: number): void }) => void) =>
        callbacks.push(() => observe({ observe: (value) => Object.assign(observed, { [name]: value }) })),
      removeCallback: () => {},
    }),
  };
  const here = tracing({ meter } as never);
  here.tracer.startSpan('chat m', { attributes: { 'gen_ai.prompt': 'words' } }).end();
  expect(here.spans()[0]?.attributes['otel_eval.withheld.count']).toBe(1);
  for (const collect of callbacks) collect();
  expect(observed).toEqual({
    'otel_eval.spans.seen': 1,
    'otel_eval.values.withheld': 1,
    'otel_eval.values.redacted': 0,
    'otel_eval.values.truncated': 0,
    'otel_eval.spans.dropped': 0,
    'otel_eval.failures': 0,
  });
});
