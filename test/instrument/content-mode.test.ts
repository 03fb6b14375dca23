import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import type { AgentSpanProcessorOptions } from '../../src/instrument/options.ts';
import { tracing } from './tracing.ts';

const capture = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
const content = (options: Partial<AgentSpanProcessorOptions> = {}) =>
  tracing({ mode: 'content', environment: { [capture]: 'true' }, ...options } as Partial<AgentSpanProcessorOptions>);

const messages = (count: number, length: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      role: 'user',
      parts: [{ type: 'text', content: `${index} ${'x'.repeat(length)}` }],
    })),
  );

test.each([
  [undefined, 'true', 'metadata'],
  ['content', undefined, 'metadata'],
  ['content', 'false', 'metadata'],
  ['content', 'EVENT_ONLY', 'metadata'],
  ['content', 'NO_CONTENT', 'metadata'],
  ['content', 'true', 'content'],
  ['content', '1', 'content'],
  ['content', 'span_and_event', 'content'],
] as const)('option %s and environment %s: %s', (mode, variable, expected) => {
  const { tracer, spans } = tracing({
    ...(mode === undefined ? {} : { mode }),
    environment: { [capture]: variable },
  } as Partial<AgentSpanProcessorOptions>);
  tracer.startSpan('chat m', { attributes: { 'gen_ai.input.messages': messages(1, 3) } }).end();
  expect(spans()[0]?.attributes['otel_eval.content.mode']).toBe(expected);
  expect(spans()[0]?.attributes['gen_ai.input.messages'] !== undefined).toBe(expected === 'content');
});

test('the ceiling holds for all content of a span; the oldest goes first; JSON stays JSON', () => {
  const { tracer, spans } = content({ ceilingBytes: 2_000 });
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.system_instructions': messages(2, 400),
    'gen_ai.input.messages': messages(5, 300),
    'gen_ai.output.messages': messages(1, 500),
  };
  tracer.startSpan('chat m', { attributes }).end();
  const out = spans()[0]?.attributes ?? {};
  const bytes = ['gen_ai.system_instructions', 'gen_ai.input.messages', 'gen_ai.output.messages'].map((key) =>
    Buffer.byteLength(String(out[key] ?? '')),
  );
  expect(bytes.reduce((a, b) => a + b)).toBeLessThanOrEqual(2_000);
  expect(out['gen_ai.system_instructions']).toBeUndefined();
  expect(out['gen_ai.output.messages']).toBe(attributes['gen_ai.output.messages']);
  const kept = JSON.parse(String(out['gen_ai.input.messages']));
  expect(kept.map((message: { parts: { content: string }[] }) => message.parts[0]?.content.slice(0, 1))).toEqual([
    '1',
    '2',
    '3',
    '4',
  ]);
  expect(out['otel_eval.truncated.count']).toBe(2);
});

test('bytes are counted, not characters, and no character is cut in half', () => {
  const { tracer, spans } = content({ ceilingBytes: 64 });
  tracer.startSpan('chat m', { attributes: { 'app.text': '😀'.repeat(64) } }).end();
  const text = String(spans()[0]?.attributes['app.text']);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64);
  expect(text).toMatch(/^(?:😀)+…\[truncated\]$/u);
});

test('a credential across the cut leaves no part of itself', () => {
  const secret = ['ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
  for (const before of [960, 990, 1_000, 1_010]) {
    const { tracer, spans } = content({ ceilingBytes: 1_000 });
    tracer
      .startSpan('chat m', {
        attributes: { 'app.text': `${'x'.repeat(before)} ${secret} and more ${'y'.repeat(9_000)}` },
      })
      .end();
    expect(JSON.stringify(spans()[0]?.attributes)).not.toContain('ghp_');
  }
});

test('a value of 100 MB is not parsed, and cut before anything else is done with it', () => {
  const { tracer, spans } = content();
  tracer
    .startSpan('chat m', {
      attributes: { 'gen_ai.input.messages': `[${'"x",'.repeat(25_000_000)}"x"]`, text: 'z'.repeat(100_000_000) },
    })
    .end();
  expect(spans()[0]?.attributes['gen_ai.input.messages']).toBe('[]');
  expect(Buffer.byteLength(String(spans()[0]?.attributes['text']))).toBeLessThanOrEqual(65_536);
});

test('a rule of the app that throws or returns nothing withholds the value', () => {
  for (const redact of [
    () => Promise.reject() as never,
    () => undefined as never,
    () => {
      throw new Error('x');
    },
  ]) {
    const { tracer, spans } = content({ redact });
    tracer.startSpan('chat', { attributes: { 'app.text': 'words' } }).end();
    expect(spans()[0]?.attributes['app.text']).toBe('[withheld]');
  }
});

test('reasoning of flattened messages goes, by the type that stands beside it', () => {
  const at = (index: number, field: string) =>
    `llm.output_messages.0.message.contents.${index}.message_content.${field}`;
  const { tracer, spans } = content();
  const attributes = {
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.1.message.contents.0.message_content.type': 'text',
    'llm.output_messages.1.message.contents.0.message_content.text': 'R4: nobody says whose words these are',
    [at(0, 'type')]: 'reasoning',
    [at(0, 'text')]: 'R1',
    [at(1, 'type')]: 'text',
    [at(1, 'text')]: 'kept',
    'ai.response.reasoning': 'R2',
    'gen_ai.usage.reasoning_tokens': 7,
    'app.reasoning_content': 'R3',
  };
  tracer.startSpan('chat', { attributes }).end();
  const out = spans()[0]?.attributes ?? {};
  expect(JSON.stringify(out)).not.toMatch(/R\d/);
  expect(out[at(1, 'text')]).toBe('kept');
  expect(out['gen_ai.usage.reasoning_tokens']).toBe(7);
});

test('headers, status, events, links and names are redacted too', () => {
  const secret = ['sk-', 'proj-', 'a1B2c3D4e5F6g7H8i9J0'].join('');
  const { tracer, spans } = content();
  const span = tracer.startSpan(`call ${secret}`, {
    attributes: { 'http.request.header.authorization': ['Bearer x'], [`key ${secret}`]: 1 },
    links: [
      { context: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }, attributes: { note: secret } },
    ],
  });
  span.addEvent(`event ${secret}`, { note: secret });
  span.setStatus({ code: SpanStatusCode.ERROR, message: `failed with ${secret}` });
  span.end();
  const out = spans()[0];
  const { name, attributes, events, links, status } = out ?? {};
  const all = JSON.stringify({ name, attributes, events, links, status });
  expect(all).not.toContain('a1B2c3');
  expect(attributes?.['http.request.header.authorization']).toBe('[redacted:secret-key]');
  expect(status?.message).toBe('failed with [redacted:openai-style-key]');
});

test('one output with metadata, one with content: one set of stamps', () => {
  const plain = new InMemorySpanExporter();
  const full = new InMemorySpanExporter();
  const { tracer } = tracing({
    environment: { [capture]: 'true' },
    outputs: [{ next: new SimpleSpanProcessor(plain) }, { next: new SimpleSpanProcessor(full), mode: 'content' }],
  } as Partial<AgentSpanProcessorOptions>);
  tracer
    .startSpan('execute_tool t', {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 't',
        'gen_ai.tool.call.arguments': '{"a":1}',
      },
    })
    .end();
  const [a] = plain.getFinishedSpans();
  const [b] = full.getFinishedSpans();
  expect(a?.attributes['gen_ai.tool.call.arguments']).toBeUndefined();
  expect(b?.attributes['gen_ai.tool.call.arguments']).toBe('{"a":1}');
  for (const key of ['otel_eval.segment', 'otel_eval.attempt.number', 'otel_eval.receipt.digest']) {
    expect(a?.attributes[key]).toBe(b?.attributes[key]);
    expect(a?.attributes[key]).not.toBeUndefined();
  }
  expect(a?.attributes['otel_eval.attempt.number']).toBe(1);
});
