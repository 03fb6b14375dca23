// What a reader makes of the receipts that the real SDK and our processor wrote.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { propagation, ROOT_CONTEXT, SamplingDecision, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { otlpRequest } from '../../src/register/otlp-span.ts';
import { completenessIn, wholeness } from './completeness.ts';
import { type Tracing, tracing } from './tracing.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  trace.disable();
});

function threeDeep({ tracer }: Tracing, parent = ROOT_CONTEXT): void {
  const root = tracer.startSpan('invoke_agent a', {}, parent);
  const chat = tracer.startSpan('chat m', {}, trace.setSpan(parent, root));
  tracer.startSpan('execute_tool t', {}, trace.setSpan(parent, chat)).end();
  chat.end();
  root.end();
}

test('two local roots in one process: whole together, and the loss of either one is told', () => {
  const here = tracing();
  const caller = here.tracer.startSpan('caller');
  const context = { ...caller.spanContext(), isRemote: true };
  for (let call = 0; call < 2; call++) threeDeep(here, trace.setSpanContext(ROOT_CONTEXT, context));
  caller.end();
  const spans = here.spans();
  expect(spans).toHaveLength(7);
  expect(wholeness(spans)).toEqual(['proven', '3 receipts say 7']);
  expect(wholeness(spans.filter((_, index) => index !== 3))).toEqual([
    'short',
    '1 span missing: a receipt says 3, 2 are here',
  ]);
  // The root with the receipt is lost: nothing is proven, and nothing is claimed.
  expect(wholeness(spans.filter((_, index) => index !== 2))).toEqual([
    'broken',
    `1 span whose parent is missing: ${spans[2]?.spanContext().spanId}`,
    'no receipt for 1 of 3 segments',
  ]);
});

test('an unsampled middle span leaves its parent and its child whole', () => {
  const decisions = [SamplingDecision.RECORD_AND_SAMPLED, SamplingDecision.NOT_RECORD];
  const sampler = {
    shouldSample: () => ({ decision: decisions.shift() ?? SamplingDecision.RECORD_AND_SAMPLED }),
    toString: () => 'scripted',
  };
  const here = tracing({}, sampler);
  threeDeep(here);
  const spans = here.spans();
  expect(spans.map(({ name }) => name)).toEqual(['execute_tool t', 'invoke_agent a']);
  expect(wholeness(spans)).toEqual(['proven', 'the receipt says 2']);
  expect(wholeness(spans.slice(1))).toEqual(['short', '1 span missing: a receipt says 2, 1 are here']);
});

test('a stream that outlives its run is awaited, then whole; cut off by the reader it is whole too', async () => {
  const here = tracing();
  trace.setGlobalTracerProvider(here.provider);
  async function* words(): AsyncGenerator<string> {
    yield 'one';
    yield 'two';
  }
  for (const readsAll of [true, false]) {
    const before = here.spans().length;
    const { stream } = agentRun({ name: 'a' }, () => ({
      stream: modelCall({ model: 'm', provider: 'openai' }, () => words()),
    }));
    expect(wholeness(here.spans().slice(before))).toEqual([
      'short',
      '1 span still open when the newest receipt was written',
    ]);
    for await (const _word of stream) if (!readsAll) break;
    expect(wholeness(here.spans().slice(before))).toEqual(['proven', 'the receipt says 2']);
  }
});

test('a span that never ends is told by number; a root that never ends proves nothing', () => {
  const here = tracing();
  const root = here.tracer.startSpan('root', {}, ROOT_CONTEXT);
  const inRoot = trace.setSpan(ROOT_CONTEXT, root);
  for (let count = 0; count < 3; count++) here.tracer.startSpan('never', {}, inRoot);
  here.tracer.startSpan('child', {}, inRoot).end();
  expect(wholeness(here.spans())).toEqual([
    'broken',
    `1 span whose parent is missing: ${root.spanContext().spanId}`,
    'no root span',
    'no receipt for 1 of 1 segments',
  ]);
  root.end();
  expect(wholeness(here.spans())).toEqual(['short', '3 spans still open when the newest receipt was written']);
});

test('three services, the middle one only hands headers on: whole; if it makes spans of its own, not proven', async () => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const [first, last] = [tracing(), tracing()];
  server = createServer((incoming, response) => {
    if (incoming.url === '/last') {
      threeDeep(last, propagation.extract(ROOT_CONTEXT, incoming.headers));
      response.end();
      return;
    }
    // Knows nothing of OpenTelemetry.
    const port = incoming.socket.localPort as number;
    request({ port, path: '/last', headers: incoming.headers }, (answer) => answer.pipe(response)).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const root = first.tracer.startSpan('invoke_agent caller');
  const headers: Record<string, string> = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, root), headers);
  const sent = request({ port, path: '/first', headers }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  root.end();
  const spans = [...first.spans(), ...last.spans()];
  expect(wholeness(spans)).toEqual(['proven', '2 receipts say 4']);
  expect(spans[3]?.parentSpanContext?.spanId).toBe(spans[0]?.spanContext().spanId);
  expect(wholeness(spans.toSpliced(1, 1))[0]).toBe('short');

  const exporter = new InMemorySpanExporter();
  const other = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  other.getTracer('other').startSpan('middle', {}, trace.setSpan(ROOT_CONTEXT, root)).end();
  expect(wholeness([...spans, ...exporter.getFinishedSpans()])).toEqual([
    'settled',
    'no span came for as long as was waited',
    '1 span without a segment, for which no receipt speaks',
  ]);
});

test('a server that runs long: every request is a segment of its own, whole whatever stays open beside it', async () => {
  const here = tracing();
  const caller = here.tracer.startSpan('caller');
  const open: unknown[] = [];
  server = createServer((incoming, response) => {
    const parent = propagation.extract(ROOT_CONTEXT, incoming.headers);
    threeDeep(here, parent);
    if (incoming.url === '/open') open.push(here.tracer.startSpan('never', {}, ROOT_CONTEXT));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requests = 300;
  const headers: Record<string, string> = {};
  new W3CTraceContextPropagator().inject(trace.setSpan(ROOT_CONTEXT, caller), headers, {
    set: (carrier, key, value) => Object.assign(carrier as object, { [key]: value }),
  });
  for (let count = 0; count < requests; count++) {
    const sent = request({ port, path: count % 3 === 0 ? '/open' : '/', headers }).end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
  }
  caller.end();
  expect(open).toHaveLength(100);
  const all = [...completenessIn([otlpRequest(here.spans())]).values()];
  expect(all.map(({ state, reasons }) => [state, reasons[0]])).toEqual([
    ['proven', `${requests + 1} receipts say ${3 * requests + 1}`],
  ]);
});

test('ended spans of a long run are not kept, nor are spans that nobody holds and nobody ended', async () => {
  const { tracer, provider } = tracing({ next: { export: (_, done) => done({ code: 0 }), shutdown: async () => {} } });
  const kept: WeakRef<object>[] = [];
  const root = tracer.startSpan('root', {}, ROOT_CONTEXT);
  const inRoot = trace.setSpan(ROOT_CONTEXT, root);
  for (let count = 0; count < 5_000; count++) {
    const span = tracer.startSpan('chat m', { attributes: { 'gen_ai.prompt': 'x'.repeat(1_000) } }, inRoot);
    kept.push(new WeakRef(span));
    if (count % 2 === 0) span.end();
  }
  await provider.forceFlush();
  await collectGarbage();
  // What is left is what the collector has not come to yet.
  expect(kept.filter((span) => span.deref() !== undefined).length).toBeLessThan(2_500);
  expect(root.isRecording()).toBe(true);
});

async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}
