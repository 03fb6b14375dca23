import { context, SpanKind, SpanStatusCode, TraceFlags, trace as traceApi } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MemoryCollector, memoryCollector } from '../../collectors/memory.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import type { CollectedTrace, Collection } from '../../src/trace/trace-set.ts';
import { plainSpan } from './plain-span.ts';

const contexts = new AsyncLocalStorageContextManager();
beforeAll(() => {
  context.setGlobalContextManager(contexts.enable());
});
afterAll(() => context.disable());

interface Setup {
  readonly memory: MemoryCollector;
  readonly exported: InMemorySpanExporter;
  readonly provider: BasicTracerProvider;
}

function setup(through: 'processor' | 'exporter' = 'processor'): Setup {
  const memory = memoryCollector();
  const exported = new InMemorySpanExporter();
  // Typed as the SDK's, so that a change of shape does not compile.
  const processor: SpanProcessor = memory.processor;
  const exporter: SpanExporter = memory.exporter;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'host.cpus': 4 }),
    spanProcessors: [
      through === 'processor' ? processor : new SimpleSpanProcessor(exporter),
      new SimpleSpanProcessor(exported),
    ],
  });
  return { memory, exported, provider };
}

async function tracesOf(collection: Collection): Promise<CollectedTrace[]> {
  const traces: CollectedTrace[] = [];
  for await (const group of collection.groups()) traces.push(...group);
  return traces;
}

const remoteParent = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
};

/** A span with everything that a span can hold, below a parent from elsewhere. */
function richSpan(provider: BasicTracerProvider): void {
  const tracer = provider.getTracer('agents', '1.2.3');
  const parent = traceApi.setSpanContext(context.active(), remoteParent);
  const span = tracer.startSpan(
    'chat toy-1',
    {
      kind: SpanKind.CLIENT,
      links: [{ context: { ...remoteParent, spanId: 'c'.repeat(16) }, attributes: { why: 'retry' } }],
    },
    parent,
  );
  span.setAttributes({
    text: 'two\nlines',
    zero: -0,
    integer: 42,
    large: 2 ** 60,
    double: 0.5,
    nan: Number.NaN,
    yes: true,
    texts: ['a', 'b'],
    mixed: [1, 0.5, 2],
    empty: [],
  });
  Object.assign((span as unknown as ReadableSpan).attributes, {
    bytes: new Uint8Array([0, 1, 255]),
    nested: { list: [{ deep: true }], nothing: null },
    nothing: null,
  });
  span.addEvent('second', { n: 2 }, [1_760_000_000, 7]);
  span.addEvent('first', { n: 1 }, [1_700_000_000, 1]);
  span.recordException(new TypeError('no'), [1_760_000_000, 9]);
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'went wrong' });
  span.end();
}

describe.each(['processor', 'exporter'] as const)('a span taken by the %s', (through) => {
  test('reads exactly as from OTLP/JSON written by the SDK', async () => {
    const { memory, exported, provider } = setup(through);
    richSpan(provider);
    const body = new TextDecoder().decode(JsonTraceSerializer.serializeRequest(exported.getFinishedSpans()));
    const [fromMemory] = await tracesOf(await memory.collect());
    const { spans, problems } = decodeOtlpJson(body);
    expect(problems).toEqual([]);
    expect(fromMemory?.trace.spans.map(plainSpan)).toEqual(spans.map(plainSpan));
    const [span] = fromMemory?.trace.spans ?? [];
    expect(span).toMatchObject({
      kind: 'client',
      parentSpanId: 'b'.repeat(16),
      flags: 0x301,
      status: { code: 'error', message: 'went wrong' },
      scope: { name: 'agents', version: '1.2.3' },
    });
    expect(span?.attributes.get('large')).toBe(1_152_921_504_606_847_000n);
    expect(Object.is(span?.attributes.get('zero'), 0)).toBe(true);
    expect(span?.resource.attributes.get('service.name')).toBe('shop');
    expect(span?.links[0]?.flags).toBe(0x301);
  });
});

test('infinities stay what they are, as in protobuf', async () => {
  const { memory, provider } = setup();
  const span = provider.getTracer('t').startSpan('s');
  span.setAttribute('rate', Number.POSITIVE_INFINITY);
  span.end();
  const [collected] = await tracesOf(await memory.collect());
  expect(collected?.trace.spans[0]?.attributes.get('rate')).toBe(Number.POSITIVE_INFINITY);
});

test('tests that run side by side each take their own traces', async () => {
  const { memory, provider } = setup();
  const tracer = provider.getTracer('t');
  const oneTest = (name: string): Promise<string[]> =>
    tracer.startActiveSpan(`root ${name}`, { root: true }, async (root) => {
      await Promise.resolve();
      tracer.startActiveSpan(`child ${name}`, (child) => child.end());
      await new Promise(setImmediate);
      root.end();
      const collection = await memory.collect({ traceIds: [root.spanContext().traceId] });
      return (await tracesOf(collection)).flatMap(({ trace }) => trace.spans.map((span) => span.name));
    });
  const results = await Promise.all(['a', 'b', 'c'].map(oneTest));
  expect(results).toEqual([
    ['root a', 'child a'],
    ['root b', 'child b'],
    ['root c', 'child c'],
  ]);
});

test('a span that is still open stands in its trace without an end', async () => {
  const { memory, provider } = setup();
  const tracer = provider.getTracer('t');
  const root = tracer.startSpan('root');
  const within = traceApi.setSpan(context.active(), root);
  tracer.startSpan('child', {}, within).end();
  const { traceId, spanId } = root.spanContext();
  expect([...memory.open()]).toEqual([[traceId, [spanId]]]);
  const [before] = await tracesOf(await memory.collect());
  expect(before?.trace.open.map((span) => span.name)).toEqual(['root']);
  expect(before?.trace.orphans).toEqual([]);
  expect(before?.facts.ended).toBe(false);
  expect(before?.completeness).toEqual({
    state: 'broken',
    reasons: ['1 span without an end', 'no span carries a receipt'],
    expectedSpans: null,
  });
  root.end();
  const [after] = await tracesOf(await memory.collect());
  expect(after?.trace.open).toEqual([]);
  expect(after?.completeness.state).toBe('settled');
  expect([...memory.open()]).toEqual([]);
});

test('traces that share a run id come in one group', async () => {
  const { memory, provider } = setup();
  const tracer = provider.getTracer('t');
  for (const [name, run] of [
    ['one', 'r1'],
    ['two', 'r2'],
    ['three', 'r1'],
  ]) {
    tracer.startSpan(name ?? '', { root: true, attributes: { 'otel_eval.run.id': run ?? '' } }).end();
  }
  const names: string[][] = [];
  for await (const group of (await memory.collect()).groups()) {
    names.push(group.flatMap(({ trace }) => trace.spans.map((span) => span.name)));
  }
  expect(names).toEqual([['one', 'three'], ['two']]);
});

test('reset forgets some traces or all, and what is not sampled is not kept', async () => {
  const { memory, provider } = setup();
  const tracer = provider.getTracer('t');
  const [first, second] = ['first', 'second'].map((name) => tracer.startSpan(name, { root: true }));
  first?.end();
  second?.end();
  memory.reset([first?.spanContext().traceId ?? '']);
  expect((await memory.collect()).inputs()).toEqual([
    { input: 'memory', format: 'sdk-spans', rows: 1, spans: 1, problems: [] },
  ]);
  memory.reset();
  expect(await tracesOf(await memory.collect())).toEqual([]);
  const recorded = { ...remoteParent, traceFlags: TraceFlags.NONE };
  memory.processor.onStart({ spanContext: () => recorded } as never);
  memory.processor.onEnd({ spanContext: () => recorded } as never);
  expect(await tracesOf(await memory.collect())).toEqual([]);
  expect([...memory.open()]).toEqual([]);
});

test('spans of SDK 1 read alike', async () => {
  const { memory, provider } = setup();
  const parent = traceApi.setSpanContext(context.active(), { ...remoteParent, isRemote: false });
  const now = memoryCollector();
  const span = provider.getTracer('agents', '1.2.3').startSpan('s', {}, parent);
  span.end();
  const {
    instrumentationScope,
    parentSpanContext: _,
    ...same
  } = Object.fromEntries(
    Object.entries(span as unknown as ReadableSpan).concat([['spanContext', () => span.spanContext()]]),
  );
  const old = { ...same, ended: true, instrumentationLibrary: instrumentationScope, parentSpanId: remoteParent.spanId };
  now.processor.onEnd(old as never);
  const [ofOld] = await tracesOf(await now.collect());
  const [ofNew] = await tracesOf(await memory.collect());
  expect(ofOld?.trace.spans.map(plainSpan)).toEqual(ofNew?.trace.spans.map(plainSpan));
});

test('attributes of a resource that come late are waited for', async () => {
  const memory = memoryCollector();
  let found: (value: string) => void = () => {};
  const host = new Promise<string>((resolve) => {
    found = resolve;
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'host.name': host }),
    spanProcessors: [memory.processor],
  });
  provider.getTracer('t').startSpan('s').end();
  setImmediate(() => found('box-1'));
  const [collected] = await tracesOf(await memory.collect());
  expect(collected?.trace.spans[0]?.resource.attributes.get('host.name')).toBe('box-1');
});
