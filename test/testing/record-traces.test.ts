import { context, type Span, trace } from '@opentelemetry/api';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { recordTraces } from '../../src/vitest/index.ts';
import { runScripted } from './agent-under-test.ts';

const traces = recordTraces({ instrumented: ['scripted-agent'] });
afterAll(() => traces.close());
afterEach(() => traces.reset());
const tracer = trace.getTracer('scripted-agent');
const spanIdsOf = (run: Awaited<ReturnType<typeof traces.record>>) =>
  run.traces.flatMap(({ trace: { spans } }) => spans.map(({ spanId }) => spanId));

test('50 recordings side by side in one process share no span', async () => {
  const runs = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      traces.record(() =>
        runScripted(
          tracer,
          Array.from({ length: (i % 4) + 1 }, () => ({ tool: `tool_${i}` })),
        ),
      ),
    ),
  );
  const all = runs.flatMap(spanIdsOf);
  expect(new Set(all).size).toBe(all.length);
  for (const [i, run] of runs.entries()) {
    expect(run).toBeJoined();
    expect(run).toHaveSpans({}, { exactly: (i % 4) + 2 });
    expect(run).toHaveSteps(
      Array.from({ length: (i % 4) + 1 }, () => `tool_${i}`),
      { order: 'exact' },
    );
    expect([run.open, run.others]).toEqual([[], []]);
  }
  expect(traces.leaked()).toEqual([]);
});

test('a recording under an active span is a run of its own', async () => {
  const run = await tracer.startActiveSpan('the test itself', async (outer) => {
    const recorded = await traces.record(() => runScripted(tracer, [{ tool: 'lookup' }]));
    outer.end();
    return recorded;
  });
  expect(run).toBeJoined();
  expect(run).toHaveSpans({}, { exactly: 2 });
});

test('recordings that go on one trace keep their spans apart', async () => {
  const common = trace.setSpanContext(context.active(), {
    traceId: 'c0'.repeat(16),
    spanId: 'c1'.repeat(8),
    traceFlags: 1,
  });
  const within = (tool: string) => async () => {
    const span = tracer.startSpan(tool, {}, common);
    await new Promise((resolve) => setTimeout(resolve, 5));
    span.end();
  };
  const runs = await Promise.all(['a', 'b'].map((tool) => traces.record(within(tool))));
  expect(runs.map((run) => run.traces.map(({ trace: { spans } }) => spans.map(({ name }) => name)))).toEqual([
    [['a']],
    [['b']],
  ]);
});

test('the last span is not lost when it ends after the promise of the app', async () => {
  const run = await traces.record(() => {
    const span = tracer.startSpan('streamed');
    setTimeout(() => span.end(), 30);
    return 'an answer';
  });
  expect(run.value).toBe('an answer');
  expect(run.open).toEqual([]);
  expect(run).toHaveSpan({ name: 'streamed' });
});

test('fake timers do not hold a recording up', async () => {
  vi.useFakeTimers();
  try {
    const run = await traces.record(() => tracer.startSpan('quick').end());
    expect(run).toHaveSpan({ name: 'quick' });
  } finally {
    vi.useRealTimers();
  }
});

describe('a test that leaks is named', () => {
  test('by a span that never ends', async () => {
    const run = await traces.record(() => void tracer.startSpan('never ended'), { graceMs: 0, name: 'the first test' });
    expect(run.open).toEqual([expect.objectContaining({ name: 'never ended', recording: 'the first test' })]);
    expect(traces.leaked()).toEqual(run.open);
    expect(() => expect(run).toHaveCalledTool('lookup')).toThrow('open      1 not ended: never ended');
  });

  test('by a span that ends too late, or starts too late', async () => {
    let late: Span | undefined;
    let goOn = () => {};
    const background = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await traces.record(
      () => {
        late = tracer.startSpan('ends late');
        void background.then(() => tracer.startSpan('starts late').end());
      },
      { graceMs: 0 },
    );
    const next = await traces.record(async () => {
      late?.end();
      goOn();
      await background;
      tracer.startSpan('its own').end();
    });
    expect(next.traces.flatMap(({ trace: { spans } }) => spans.map(({ name }) => name))).toEqual(['its own']);
    expect(traces.leaked().map(({ name, recording }) => [name, recording])).toEqual([
      ['ends late', expect.stringMatching(/^test\/testing\/record-traces\.test\.ts:\d+$/)],
      ['starts late', expect.stringMatching(/^test\/testing\/record-traces\.test\.ts:\d+$/)],
    ]);
  });
});

test('spans of nobody are told, and are not kept', async () => {
  const outside = tracer.startSpan('outside');
  const run = await traces.record(() => {
    outside.end();
    tracer.startSpan('inside').end();
  });
  expect(run.others.map(({ name, recording }) => [name, recording])).toEqual([['outside', null]]);
  expect(run).toHaveSpans({}, { exactly: 1 });
  expect(() => expect(run).toHaveSpans({}, { exactly: 2 })).toThrow('others    1 span of no recording: outside');
});

test('to forget does not touch a recording that is under way', async () => {
  const run = await traces.record(async () => {
    tracer.startSpan('before').end();
    traces.reset();
    tracer.startSpan('after').end();
  });
  expect(run).toHaveSpans({}, { exactly: 2 });
});

test('what the function throws is thrown on, or kept', async () => {
  const failing = () =>
    tracer.startActiveSpan('fails', (span) => {
      span.end();
      throw new Error('the app broke');
    });
  await expect(traces.record(failing)).rejects.toThrow('the app broke');
  const run = await traces.record(failing, { keepError: true });
  expect(run.error).toEqual(new Error('the app broke'));
  expect(run).toHaveSpan({ name: 'fails' });
});

test('two recorders, one inside the other, each record their own', async () => {
  const others = recordTraces();
  let inner: Awaited<ReturnType<typeof others.record>> | undefined;
  const outer = await traces.record(async () => {
    tracer.startSpan('of the outer one').end();
    inner = await others.record(() => tracer.startSpan('of both').end());
  });
  expect(outer).toHaveSpans({}, { exactly: 2 });
  expect(inner).toHaveSpans({}, { exactly: 1 });
  await others.close();
});
