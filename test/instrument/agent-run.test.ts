import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import * as api from '../../src/instrument/index.ts';
import { type Tracing, tracing } from './tracing.ts';

const capture = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };

/** The helpers use the global provider. */
function installed(options: Parameters<typeof tracing>[0] = {}): Tracing {
  const made = tracing(options);
  trace.disable();
  trace.setGlobalTracerProvider(made.provider);
  return made;
}
const named = (spans: ReadableSpan[], name: string) => spans.find((span) => span.name === name) as ReadableSpan;

test('a run with a model call, a tool call, a retrieval, a memory, an approval and a handoff', async () => {
  const { spans } = installed();
  const answer = await api.agentRun(
    { name: 'triage', conversationId: 'c-1', runId: 'r-1', input: 'words' },
    async ({ runId }) => {
      expect(runId).toBe('r-1');
      expect(api.currentRun()).toEqual({ runId: 'r-1', conversationId: 'c-1' });
      await api.modelCall({ model: 'm-1', provider: 'p', input: 'words' }, async (response) => {
        response({
          id: 'x-1',
          model: 'm-1',
          finishReasons: ['stop'],
          usage: { input: 10, output: 2, cachedInput: 4 },
          output: 'words',
        });
      });
      api.toolCall({ name: 'lookup', callId: 'k-1', arguments: { q: 'words' }, effect: 'read' }, () => ({ ok: true }));
      api.retrieval({ dataSource: 'handbook', query: 'words', topK: 3 }, (found) =>
        found([{ id: 'd-1', content: 'words' }]),
      );
      api.memory({ operation: 'search_memory', storeId: 's', query: 'words' }, (records) =>
        records([{ id: 'm-1', content: 'words' }]),
      );
      await api.humanInput({ kind: 'approval', toolName: 'refund', callId: 'k-2' }, async (decided) =>
        decided('denied'),
      );
      return api.handoff({ from: 'triage', to: 'refunds' }, () => api.agentRun({ name: 'refunds' }, () => 'words'));
    },
  );
  expect(answer).toBe('words');
  const all = spans();
  expect(all.map(({ name }) => name)).toEqual([
    'chat m-1',
    'execute_tool lookup',
    'retrieval handbook',
    'search_memory',
    'human_input approval',
    'invoke_agent refunds',
    'execute_tool transfer_to_refunds',
    'invoke_agent triage',
  ]);
  for (const { attributes } of all) {
    expect(attributes['otel_eval.run.id']).toBe('r-1');
    expect(attributes['gen_ai.conversation.id']).toBe('c-1');
  }
  expect(named(all, 'chat m-1').attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.cache_read.input_tokens': 4,
    'gen_ai.response.finish_reasons': ['stop'],
  });
  expect(named(all, 'execute_tool lookup').attributes).toMatchObject({
    'otel_eval.tool.effect': 'read',
    'otel_eval.tool.result_failed': false,
    'otel_eval.tool.arguments_bytes': 13,
    'otel_eval.attempt.operation': 1,
    'otel_eval.attempt.number': 1,
  });
  expect(
    named(all, 'human_input approval').events.map(({ name, attributes }) => [name, attributes?.['stage']]),
  ).toEqual([
    ['otel_eval.evidence.approval', 'asked'],
    ['otel_eval.evidence.approval', 'denied'],
    ['gen_ai.tool.call.decision', undefined],
  ]);
  expect(named(all, 'retrieval handbook').events[0]?.attributes).toEqual({
    'document.count': 1,
    'document.ids': ['d-1'],
  });
  expect(named(all, 'execute_tool transfer_to_refunds').attributes['gen_ai.transfer.target.name']).toBe('refunds');
  expect(JSON.stringify(all.map(({ attributes, events }) => [attributes, events]))).not.toContain('words');
});

test('content mode holds what the helpers were given', () => {
  const { spans } = installed({ mode: 'content', environment: capture } as Parameters<typeof tracing>[0]);
  api.toolCall({ name: 'lookup', arguments: { q: 'words', api_key: 'x' } }, () => 'result words');
  expect(spans()[0]?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"q":"words","api_key":"[redacted:secret-key]"}',
    'gen_ai.tool.call.result': '"result words"',
  });
});

test('content of helpers never stands on the shared span', () => {
  installed();
  let shared: ReadableSpan | undefined;
  api.toolCall({ name: 'lookup', arguments: { q: 'words' } }, () => {
    shared = trace.getActiveSpan() as unknown as ReadableSpan;
    return 'words';
  });
  expect(JSON.stringify(shared?.attributes)).not.toContain('words');
});

test.each([
  ['a value', () => 7],
  ['a promise', () => Promise.resolve(7)],
  ['undefined', () => undefined],
] as [string, () => unknown][])('%s comes back as it is', async (_name, give) => {
  installed();
  expect(await api.toolCall({ name: 't' }, give)).toBe(await give());
});

test('a promise with methods of its own is handed back itself', async () => {
  class ApiPromise extends Promise<number> {
    withResponse(): string {
      return 'response';
    }
  }
  const { spans } = installed();
  const given = new ApiPromise((resolve) => resolve(7));
  const back = api.toolCall({ name: 't' }, () => given);
  expect(back).toBe(given);
  expect(back.withResponse()).toBe('response');
  expect(await back).toBe(7);
  expect(spans()).toHaveLength(1);
});

test('what is thrown is thrown on, and no text of it is recorded', async () => {
  const { spans } = installed();
  const error = Object.assign(new TypeError('secret words'), { code: 'E_LOOKUP' });
  expect(() =>
    api.toolCall({ name: 't' }, () => {
      throw error;
    }),
  ).toThrow(error);
  await expect(api.toolCall({ name: 't' }, () => Promise.reject(error))).rejects.toBe(error);
  for (const span of spans()) {
    expect(span.status).toEqual({ code: 2 });
    expect(span.attributes['error.type']).toBe('E_LOOKUP');
    expect(span.attributes['otel_eval.tool.result_failed']).toBeUndefined();
    expect(span.events).toEqual([]);
  }
});

test('an async iterable is watched: its span ends when it has been read, its code runs inside the span', async () => {
  const { spans } = installed();
  async function* stream() {
    yield trace.getActiveSpan()?.spanContext().spanId;
    yield 2;
    return 3;
  }
  const given = await api.modelCall({ model: 'm', provider: 'p' }, async () =>
    Object.assign(stream(), { controller: 'kept' }),
  );
  expect(given.controller).toBe('kept');
  expect(spans()).toEqual([]);
  const items = [];
  for await (const item of given) items.push(item);
  expect(spans()).toHaveLength(1);
  expect(items).toEqual([spans()[0]?.spanContext().spanId, 2]);
});

test('an async iterable that fails, and one that is left', async () => {
  const { spans } = installed();
  async function* failing() {
    yield 1;
    throw new RangeError('words');
  }
  await expect(
    (async () => {
      for await (const _item of api.toolCall({ name: 'a' }, failing));
    })(),
  ).rejects.toThrow('words');
  async function* endless() {
    while (true) yield 1;
  }
  for await (const _item of api.toolCall({ name: 'b' }, endless)) break;
  expect(spans().map(({ name, status, attributes }) => [name, status.code, attributes['error.type']])).toEqual([
    ['execute_tool a', 2, 'RangeError'],
    ['execute_tool b', 0, undefined],
  ]);
});

test('arguments that are cyclic, throw, or are endless do not hurt the call', () => {
  const { spans } = installed();
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const throwing = {
    get x(): never {
      throw new Error('getter');
    },
  };
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('proxy');
      },
    },
  );
  for (const value of [cyclic, throwing, hostile, { big: 'x'.repeat(5_000_000) }, 10n, Symbol('s'), () => 1]) {
    expect(api.toolCall({ name: 't', arguments: value }, () => 7)).toBe(7);
  }
  expect(spans()).toHaveLength(7);
});

test('the run goes on in a child process by its environment, and in a service by baggage', () => {
  installed();
  const environment = api.agentRun({ name: 'a', runId: 'r-2', conversationId: 'c-2' }, () => api.childEnvironment());
  expect(environment).toEqual({
    TRACEPARENT: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    OTEL_EVAL_RUN_ID: 'r-2',
    OTEL_EVAL_CONVERSATION_ID: 'c-2',
  });
  const { spans, tracer } = installed();
  const inherited = api.contextFromEnvironment(environment);
  tracer.startSpan('child', {}, inherited).end();
  expect(spans()[0]?.parentSpanContext?.spanId).toBe(environment['TRACEPARENT']?.slice(36, 52));
  expect(spans()[0]?.attributes['otel_eval.run.id']).toBe('r-2');

  const carrying = context.with(inherited, () => api.withRunInBaggage());
  const baggage = propagation.getBaggage(carrying);
  expect(baggage?.getEntry('otel_eval.run.id')?.value).toBe('r-2');
  tracer.startSpan('served', {}, propagation.setBaggage(ROOT_CONTEXT, baggage as NonNullable<typeof baggage>)).end();
  expect(spans()[1]?.attributes['otel_eval.run.id']).toBe('r-2');
});

test('without any provider the helpers only run the function', async () => {
  trace.disable();
  expect(await api.agentRun({ name: 'a' }, async () => api.toolCall({ name: 't' }, () => 5))).toBe(5);
});

test('what is no opaque identifier is taken as no id: it would leave in any mode', () => {
  const { spans } = installed();
  const seen = api.agentRun({ name: 'a', runId: 'Ann from Elm Row', conversationId: 'ann@example.test' }, (run) => run);
  expect(seen.runId).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  expect(seen.conversationId).toBeUndefined();
  expect(spans()[0]?.attributes['otel_eval.run.id']).toBe(seen.runId);
  expect(JSON.stringify(spans()[0]?.attributes)).not.toMatch(/Elm Row|example\.test/);
});
