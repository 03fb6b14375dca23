import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, test, vi } from 'vitest';
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

/** One byte of the ceiling is the value of the other key. */
const cutText = `${'x'.repeat(65_536 - 1 - Buffer.byteLength('…[truncated]'))}…[truncated]`;
/** What content mode makes of each, and what it counts. */
const inContent: Readonly<Record<string, object>> = {
  'a cycle': { 'gen_ai.input.messages': '[withheld]', 'otel_eval.truncated.count': 1 },
  'a getter that throws': { 'gen_ai.input.messages': '[withheld]', 'otel_eval.withheld.count': 1 },
  'a Proxy that throws': { 'gen_ai.input.messages': '[withheld]', 'otel_eval.withheld.count': 1 },
  '100 MB': { 'gen_ai.input.messages': cutText, 'otel_eval.truncated.count': 2 },
  'a deep structure': { 'gen_ai.input.messages': '[withheld]', 'otel_eval.withheld.count': 1 },
};

test.each(modes.flatMap(([mode, options]) => values.map(([what, value]) => [what, mode, options, value] as const)))(
  '%s in %s mode: what leaves, and the app keeps what is its own',
  (what, mode, options, value) => {
    const { tracer, spans } = tracing(options);
    const span = tracer.startSpan('chat m', { attributes: { 'gen_ai.operation.name': 'chat' } });
    const { attributes } = span as unknown as ReadableSpan;
    // Past the checks of the SDK, as an instrumentation that writes to the object itself does.
    attributes['gen_ai.input.messages'] = value as never;
    attributes['key\u0000with NUL'] = 'x';
    expect(() => span.end()).not.toThrow();
    const [exported] = spans();
    const { 'otel_eval.segment': segment, 'otel_eval.receipt.digest': digest, ...rest } = exported?.attributes ?? {};
    expect([segment, digest]).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    expect(rest).toEqual({
      'gen_ai.operation.name': 'chat',
      'otel_eval.event.index': 0,
      'otel_eval.content.mode': mode,
      'otel_eval.receipt.spans': 1,
      'otel_eval.receipt.open': 0,
      ...(mode === 'metadata' ? { 'otel_eval.withheld.count': 2 } : { 'key\u0000with NUL': 'x', ...inContent[what] }),
    });
    expect([exported?.name, exported?.status, exported?.events, exported?.links]).toEqual([
      'chat m',
      { code: 0 },
      [],
      [],
    ]);
    expect(attributes['gen_ai.input.messages']).toBe(value);
    expect(Object.keys(attributes)).toEqual(['gen_ai.operation.name', 'gen_ai.input.messages', 'key\u0000with NUL']);
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

test.each<[string, SpanExporter['export'], number]>([
  [
    'throws',
    () => {
      throw new Error('exporter');
    },
    5,
  ],
  ['hangs', () => {}, 5],
  ['fails', (_spans, done) => done({ code: 1 }), 5],
  ['succeeds', (_spans, done) => done({ code: 0 }), 0],
])(
  'an exporter that %s: it is handed what the queue holds, batch by batch, and costs no more',
  async (_what, send, failed) => {
    vi.useFakeTimers();
    try {
      const handed: ReadableSpan[] = [];
      const sizes: number[] = [];
      const next: SpanExporter = {
        export: (spans, done) => {
          sizes.push(spans.length);
          handed.push(...(spans as ReadableSpan[]));
          send(spans, done);
        },
        shutdown: async () => {},
      };
      const processor = agentSpanProcessor({ next });
      const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('t');
      for (let count = 0; count < 5_000; count++) tracer.startSpan('chat m').end();
      const flushed = processor.forceFlush();
      await vi.advanceTimersByTimeAsync(5 * 30_000);
      await flushed;
      expect(sizes).toEqual([512, 512, 512, 512, 512]);
      expect(processor.counters).toMatchObject({ seen: 5_000, dropped: 5_000 - 2_048 - 512, failed });
      expect(handed.every(({ attributes }) => attributes['otel_eval.receipt.spans'] === 1)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('the SDK processor behind us over an exporter that throws: the spans go on, and its failure is its own', async () => {
  const throwing = {
    export: (): never => {
      throw new Error('exporter');
    },
    shutdown: async () => {},
  };
  const processor = agentSpanProcessor({ next: new BatchSpanProcessor(throwing, { exportTimeoutMillis: 100 }) });
  const alone = new BatchSpanProcessor(throwing, { exportTimeoutMillis: 100 });
  const made = [processor, alone].map(async (each) => {
    const tracer = new BasicTracerProvider({ spanProcessors: [each] }).getTracer('t');
    expect(() => tracer.startSpan('chat m').end()).not.toThrow();
    return await each.forceFlush().then(
      () => 'flushed',
      (error: Error) => error.message,
    );
  });
  const [withUs, without] = await Promise.all(made);
  expect(withUs).toBe(without);
});

const namesOf: Readonly<Record<string, readonly string[]>> = {
  metadata: ['withheld', 'chat', 'chat m', 'withheld', 'withheld', 'withheld'],
  content: ['[withheld]', 'a\u0000b please tell nobody about it', 'chat m', 'chat m', 'withheld', 'chat m'],
};

test.each(modes)('names, statuses, events and links that throw or are none, in %s mode', (mode, options) => {
  const { tracer, spans, processor } = tracing(options);
  const bad = {
    get x(): never {
      throw new Error('getter');
    },
  };
  const spoil = (change: (span: { -readonly [Key in keyof ReadableSpan]: unknown }) => void): ReadableSpan => {
    const span = tracer.startSpan('chat m', { attributes: { 'gen_ai.operation.name': 'chat' } });
    change(span as never);
    expect(() => span.end()).not.toThrow();
    return spans().at(-1) as ReadableSpan;
  };
  const time = [1, 1];
  const broken = [
    spoil((span) => Object.assign(span, { name: 7 })),
    spoil((span) => Object.assign(span, { name: 'a\u0000b please tell nobody about it' })),
    spoil((span) => Object.assign(span, { status: { code: 2, message: cyclic } })),
    spoil((span) => Object.assign(span, { events: [{ name: 'e', time, attributes: bad }] })),
    spoil((span) => Object.assign(span, { events: [null] })),
    spoil((span) => Object.assign(span, { links: [{ context: {}, attributes: bad }] })),
  ];
  expect(broken.map(({ name }) => name)).toEqual(namesOf[mode]);
  expect(broken.map(({ status }) => status.message)).toEqual(
    Object.assign(Array(6).fill(undefined), mode === 'content' ? { 2: '[withheld]' } : {}),
  );
  // Each counts in its receipt, whatever was left of it.
  expect(broken.map(({ attributes }) => attributes['otel_eval.receipt.spans'])).toEqual([1, 1, 1, 1, 1, 1]);
  expect(processor.counters.seen).toBe(6);
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
