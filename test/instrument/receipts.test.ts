import { context, ROOT_CONTEXT, SamplingDecision, type Span, type SpanContext, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { tracing } from './tracing.ts';

const receipt = (span: ReadableSpan) => [
  span.attributes['otel_eval.receipt.spans'],
  span.attributes['otel_eval.receipt.open'],
];
const byName = (spans: ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.filter((span) => span.name === name);
  expect(found).toHaveLength(1);
  return found[0] as ReadableSpan;
};

test('the local root carries the receipt, children carry segment and index', () => {
  const { tracer, spans } = tracing();
  const root = tracer.startSpan('root');
  const inRoot = trace.setSpan(ROOT_CONTEXT, root);
  const first = tracer.startSpan('first', {}, inRoot);
  const second = tracer.startSpan('second', {}, trace.setSpan(ROOT_CONTEXT, first));
  second.end();
  first.end();
  root.end();
  const ended = spans();
  const segments = new Set(ended.map(({ attributes }) => attributes['otel_eval.segment']));
  expect(segments.size).toBe(1);
  expect([...segments][0]).toMatch(/^[0-9a-f]{16}$/);
  expect(ended.map(({ name, attributes }) => [name, attributes['otel_eval.event.index']])).toEqual([
    ['second', 2],
    ['first', 1],
    ['root', 0],
  ]);
  expect(ended.map(receipt)).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [3, 0],
  ]);
  const ids = ended.map((span) => BigInt(`0x${span.spanContext().spanId}`));
  const xor = ids.reduce((sum, id) => sum ^ id, 0n);
  const sum = ids.reduce((total, id) => (total + id) % 2n ** 64n, 0n);
  const hex = (value: bigint) => value.toString(16).padStart(16, '0');
  expect(byName(ended, 'root').attributes['otel_eval.receipt.digest']).toBe(hex(xor) + hex(sum));
  expect(byName(ended, 'root').attributes['otel_eval.content.mode']).toBe('metadata');
});

test('a span that is open at the end of the root is counted, and carries the newest receipt when it ends', () => {
  const { tracer, spans } = tracing();
  const root = tracer.startSpan('root');
  const stream = tracer.startSpan('stream', {}, trace.setSpan(ROOT_CONTEXT, root));
  root.end();
  expect(spans().map(receipt)).toEqual([[1, 1]]);
  const late = tracer.startSpan('late', {}, trace.setSpan(ROOT_CONTEXT, stream));
  late.end();
  stream.end();
  expect(spans().map(receipt)).toEqual([
    [1, 1],
    [2, 1],
    [3, 0],
  ]);
});

test('two local roots in one process are two segments', () => {
  const { tracer, spans } = tracing();
  const remote = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
    isRemote: true,
  };
  const wrapped = trace.setSpanContext(ROOT_CONTEXT, remote);
  tracer.startSpan('one', {}, wrapped).end();
  tracer.startSpan('two', {}, wrapped).end();
  expect(new Set(spans().map(({ attributes }) => attributes['otel_eval.segment'])).size).toBe(2);
  expect(spans().map(receipt)).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test.each([
  ['ids only', (root: Span) => trace.setSpanContext(ROOT_CONTEXT, { ...root.spanContext() })],
  ['an object of its own', (root: Span) => trace.setSpan(ROOT_CONTEXT, new Wrapper(root) as unknown as Span)],
])('a parent of which a framework hands on %s is found while its segment is open', (_name, contextOf) => {
  const { tracer, spans } = tracing();
  const root = tracer.startSpan('root');
  const tool = tracer.startSpan('tool', {}, contextOf(root));
  tracer.startSpan('leaf', {}, contextOf(tool)).end();
  tool.end();
  root.end();
  tracer.startSpan('late', {}, contextOf(root)).end();
  const segments = spans().map(({ attributes }) => attributes['otel_eval.segment']);
  expect(segments.map((segment) => segment === segments[0])).toEqual([true, true, true, false]);
  expect(spans().map(receipt)).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [3, 0],
    [1, 0],
  ]);
});

test('a parent from another process is not known, nor one of another trace: the child is a local root', () => {
  const { tracer, spans } = tracing();
  const root = tracer.startSpan('root');
  const { traceId } = root.spanContext();
  const remote = { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1, isRemote: true };
  const other = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
  tracer.startSpan('called', {}, trace.setSpanContext(ROOT_CONTEXT, remote)).end();
  tracer.startSpan('elsewhere', {}, trace.setSpanContext(ROOT_CONTEXT, other)).end();
  root.end();
  expect(new Set(spans().map(({ attributes }) => attributes['otel_eval.segment'])).size).toBe(3);
  expect(spans().map(receipt)).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
});

/** As OpenInference wraps a span. */
class Wrapper {
  readonly inner: Span;
  constructor(inner: Span) {
    this.inner = inner;
  }
  spanContext(): SpanContext {
    return this.inner.spanContext();
  }
}

test.each([
  ['recorded only', SamplingDecision.RECORD],
  ['not recorded', SamplingDecision.NOT_RECORD],
])('an unsampled middle span, %s, is not counted', (_name, middle) => {
  const decisions = [SamplingDecision.RECORD_AND_SAMPLED, middle, SamplingDecision.RECORD_AND_SAMPLED];
  const sampler = {
    shouldSample: () => ({ decision: decisions.shift() ?? SamplingDecision.NOT_RECORD }),
    toString: () => 'scripted',
  };
  const { tracer, spans } = tracing({}, sampler);
  const root = tracer.startSpan('root', {}, ROOT_CONTEXT);
  const unsampled = tracer.startSpan('middle', {}, trace.setSpan(ROOT_CONTEXT, root));
  const leaf = tracer.startSpan('leaf', {}, trace.setSpan(ROOT_CONTEXT, unsampled));
  leaf.end();
  unsampled.end();
  root.end();
  expect(spans().map(({ name }) => name)).toEqual(['leaf', 'root']);
  expect(new Set(spans().map(({ attributes }) => attributes['otel_eval.segment'])).size).toBe(1);
  expect(receipt(byName(spans(), 'root'))).toEqual([2, 0]);
  expect(spans().map(({ attributes }) => attributes['otel_eval.event.index'])).toEqual([1, 0]);
});

test('an unsampled root gives no segment, its sampled child one of its own', () => {
  const decisions = [SamplingDecision.RECORD, SamplingDecision.RECORD_AND_SAMPLED];
  const sampler = {
    shouldSample: () => ({ decision: decisions.shift() ?? SamplingDecision.NOT_RECORD }),
    toString: () => 'scripted',
  };
  const { tracer, spans } = tracing({}, sampler);
  const root = tracer.startSpan('root', {}, ROOT_CONTEXT);
  tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, root)).end();
  root.end();
  expect(spans().map(receipt)).toEqual([[1, 0]]);
});

test('the shared span is left as it was', () => {
  const { tracer, spans } = tracing();
  const span = tracer.startSpan('chat m', { attributes: { 'gen_ai.prompt': 'secret words', a: 1 } });
  context.with(trace.setSpan(ROOT_CONTEXT, span), () => {});
  span.end();
  const shared = span as unknown as ReadableSpan;
  expect(shared.attributes).toEqual({ 'gen_ai.prompt': 'secret words', a: 1 });
  expect(spans()[0]?.attributes['gen_ai.prompt']).toBeUndefined();
});
