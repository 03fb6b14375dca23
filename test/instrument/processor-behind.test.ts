import { type Context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import type { RunningSpan, SpanProcessor } from '../../src/instrument/sdk-shapes.ts';
import { tracing } from './tracing.ts';

const done = async (): Promise<void> => {};

/** A processor of the app that keeps what it was given. */
function recording(extra: Partial<SpanProcessor> = {}) {
  const started: RunningSpan[] = [];
  const ended: object[] = [];
  const next: SpanProcessor = {
    onStart: (span) => started.push(span),
    onEnd: (span) => ended.push(span),
    forceFlush: done,
    shutdown: done,
    ...extra,
  };
  return { started, ended, next };
}

test('at the start of a span it sees what could leave, and nothing else', () => {
  const seen: string[] = [];
  const { next } = recording({
    onStart: (span) => seen.push(JSON.stringify([span.name, span.attributes, span.isRecording()])),
  });
  const { tracer } = tracing({ next });
  tracer
    .startSpan('chat m', { attributes: { 'gen_ai.prompt': 'private words', 'gen_ai.operation.name': 'chat' } })
    .end();
  tracer.startSpan('please refund my order, I am upset').end();
  expect(seen).toEqual(['["chat m",{"gen_ai.operation.name":"chat"},true]', '["withheld",{},true]']);
});

test('the app span cannot be reached from what it gets', () => {
  const { started, ended, next } = recording();
  const { tracer } = tracing({ next });
  const span = tracer.startSpan('chat m', { attributes: { 'gen_ai.prompt': 'private words' } });
  span.end();
  for (const view of [...started, ...ended]) {
    const reached = Reflect.ownKeys(view).map((key) => Reflect.get(view, key));
    expect(reached).toEqual([]);
    expect(view).not.toBe(span);
  }
});

test('it gets one object from the start of a span to its end', () => {
  const { started, ended, next } = recording();
  const { tracer } = tracing({ next });
  tracer.startSpan('chat m').end();
  expect(ended).toHaveLength(1);
  expect(ended[0]).toBe(started[0]);
});

test('what it writes at the start reaches the span of the app, and leaves if it is metadata', () => {
  const { ended, next } = recording({
    onStart: (span) => {
      span.setAttributes({ 'app.note': 'words of a person', 'session.id': 's-1' }).updateName('chat n');
    },
  });
  const { tracer } = tracing({ next });
  const span = tracer.startSpan('chat m');
  span.end();
  expect((span as unknown as ReadableSpan).attributes).toEqual({
    'app.note': 'words of a person',
    'session.id': 's-1',
  });
  const [view] = ended as ReadableSpan[];
  expect(view?.name).toBe('chat n');
  expect(view?.attributes['session.id']).toBe('s-1');
  expect(view?.attributes['app.note']).toBeUndefined();
});

test('onEnding reaches the processor that has it, before the span is closed', () => {
  const seen: unknown[] = [];
  const { ended, next } = recording({
    onEnding: (span) => {
      seen.push(span.ended, { ...span.attributes });
      span.setAttribute('gen_ai.request.model', 'm2');
    },
  });
  const { tracer, processor } = tracing({ next });
  tracer.startSpan('chat m', { attributes: { 'gen_ai.prompt': 'words', 'gen_ai.request.model': 'm1' } }).end();
  expect(seen).toEqual([false, { 'gen_ai.request.model': 'm1' }]);
  expect((ended[0] as ReadableSpan).attributes['gen_ai.request.model']).toBe('m2');
  expect(processor.onEnding).toBeTypeOf('function');
  expect(tracing().processor.onEnding).toBeUndefined();
});

test('after the end nothing can be written through what it kept', () => {
  const { started, next } = recording();
  const { tracer } = tracing({ next });
  const span = tracer.startSpan('chat m');
  span.end();
  const [view] = started;
  expect(view?.isRecording()).toBe(false);
  view?.setAttribute('session.id', 's-2').addEvent('late').updateName('other').end();
  expect((span as unknown as ReadableSpan).attributes).toEqual({});
  expect(view?.name).toBe('chat m');
});

test('one that throws in every hook costs the app and the other outputs nothing', () => {
  const fail = (): never => {
    throw new Error('mine');
  };
  const good = recording();
  const bad: SpanProcessor = { onStart: fail, onEnding: fail, onEnd: fail, forceFlush: done, shutdown: done };
  const { tracer, processor } = tracing({ outputs: [{ next: bad }, { next: good.next }] } as never);
  tracer.startSpan('chat m').end();
  expect(good.ended).toHaveLength(1);
  expect(processor.counters).toMatchObject({ seen: 1, failed: 3 });
});

test('a copy that somebody made before us is what is read, not the span that was copied', () => {
  const { ended, next } = recording();
  const { processor } = tracing({ next });
  const { tracer } = tracing({ next: { ...recording().next } });
  const span = tracer.startSpan('chat m', { attributes: { 'session.id': 'a' } }) as Span & RunningSpan;
  processor.onStart(span, ROOT_CONTEXT as Context);
  const copy = Object.create(span, { attributes: { value: { 'session.id': 'b' }, enumerable: true } });
  processor.onEnd(copy);
  const { attributes } = ended[0] as ReadableSpan;
  expect(attributes['session.id']).toBe('b');
  // It is still known as the span that started.
  expect(attributes['otel_eval.receipt.spans']).toBe(1);
  expect(attributes['otel_eval.receipt.open']).toBe(0);
});

test('a copy that shares nothing with the span takes the receipt away, rather than make it wrong', () => {
  const { ended, next } = recording();
  const { processor } = tracing({ next });
  const { tracer } = tracing({ next: recording().next });
  const root = tracer.startSpan('invoke_agent a') as Span & RunningSpan;
  const inRoot = trace.setSpan(ROOT_CONTEXT, root);
  const child = tracer.startSpan('chat m', {}, inRoot) as Span & RunningSpan;
  processor.onStart(root, ROOT_CONTEXT);
  processor.onStart(child, inRoot);
  const context = child.spanContext();
  processor.onEnd({ ...Object.fromEntries(Object.entries(child)), spanContext: () => context } as never);
  processor.onEnd(root);
  const attributes = ended.map((span) => (span as ReadableSpan).attributes);
  expect(attributes.map((one) => one['otel_eval.receipt.spans'])).toEqual([undefined, undefined]);
  expect(attributes[0]?.['otel_eval.segment']).toBeUndefined();
  expect(attributes[1]?.['otel_eval.segment']).toMatch(/^[0-9a-f]{16}$/);
});
