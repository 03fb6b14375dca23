import http, * as httpNames from 'node:http';
import https from 'node:https';
import { context } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { faultInterceptor } from '../../src/faults/inject/fault-interceptor.ts';
import { FaultSession, type FaultSessionOptions } from '../../src/faults/inject/fault-session.ts';
import { installFaultedFetch } from '../../src/faults/inject/faulted-fetch.ts';
import { installFaultedHttp } from '../../src/faults/inject/faulted-http.ts';
import { duringCall, type WireCall, type WireFault } from '../../src/faults/inject/wire-fault.ts';
import { wrapTools } from '../../src/faults/inject/wrap-tools.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { toolCall } from '../../src/instrument/tool-call.ts';
import { record, setUpTracing } from './recorder.ts';
import { openToolServer, retryingClients, type ToolServer, type WireClient, wireClients } from './wire-clients.ts';

interface Args {
  readonly to: readonly string[];
}

let server: ToolServer;
let restore: () => void;
beforeAll(async () => {
  setUpTracing();
  server = await openToolServer(({ to }: Args) => ({ rows: to, total: to.length }));
});
afterAll(async () => server.close());
beforeEach(() => {
  server.carriedOut.length = 0;
  server.failures.length = 0;
  restore = installFaultedHttp();
});
afterEach(() => restore());

const sessionOf = (fault: unknown, more: object = {}, options: Partial<FaultSessionOptions> = {}): FaultSession => {
  const plan = parseFaultPlan([{ task: 't', tool: 'send', fault, point: 'below_client', ...more }]);
  return new FaultSession({ plan, row: plan.rows[0]!, ...options });
};
const args: Args = { to: ['a', 'b', 'c'] };
const real = { status: 200, retryAfter: null, body: { rows: ['a', 'b', 'c'], total: 3 } };

const outcome = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work;
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    return cause?.code ?? code;
  }
};
const sending = (session: FaultSession, client: WireClient, signal?: AbortSignal): Promise<unknown> => {
  const { send } = wrapTools(session, { send: (given: Args) => client(server.url, given, signal) });
  return outcome(send(args));
};
const timeoutOf = (name: string): string => (name.startsWith('undici') ? 'UND_ERR_HEADERS_TIMEOUT' : 'ETIMEDOUT');
// Of DOMException: AbortError.
const aborted = (name: string): unknown => (name === 'axios' ? 'ERR_CANCELED' : 20);
const error = (type: string, message: string): object => ({ error: { type, message } });

describe.each(Object.entries(wireClients))('below %s', (name, client) => {
  test.each<[string, unknown, unknown, unknown[]]>([
    ['error', 'error', { status: 500, retryAfter: null, body: error('ToolError', 'the tool failed') }, []],
    ['timeout', 'timeout', 'timeout', []],
    ['timeout_but_applied', 'timeout_but_applied', 'timeout', [args]],
    [
      'http_503',
      'http_503',
      { status: 503, retryAfter: null, body: error('ServiceUnavailableError', '503 Service Unavailable') },
      [],
    ],
    [
      'http_429',
      'http_429',
      { status: 429, retryAfter: '20', body: error('RateLimitError', '429 Too Many Requests, retry after 20 s') },
      [],
    ],
    ['empty', 'empty', { status: 200, retryAfter: null, body: { rows: [], total: 0 } }, [args]],
    [
      'malformed',
      { kind: 'malformed', field: 'rows.1', as: 'null' },
      { status: 200, retryAfter: null, body: { rows: ['a', null, 'c'], total: 3 } },
      [args],
    ],
    [
      'partial',
      { kind: 'partial', ok: 2, rejected: 1 },
      { status: 200, retryAfter: null, body: { accepted: ['a', 'b'], rejected: ['c'] } },
      [{ to: ['a', 'b'] }],
    ],
    ['stale_read', 'stale_read', { status: 200, retryAfter: null, body: { rows: ['old'] } }, []],
    ['latency', 'latency', real, [args]],
  ])('%s, and the next request is let pass', async (_, fault, wanted, carriedOut) => {
    const session = sessionOf(fault, {}, { tools: { send: { items: 'to', before: () => ({ rows: ['old'] }) } } });
    const expected = wanted === 'timeout' ? timeoutOf(name) : wanted;
    expect(await sending(session, client)).toEqual(expected);
    expect(server.carriedOut).toEqual(carriedOut);
    expect(await sending(session, client)).toEqual(real);
  });

  test('the signal of the client is heard, before and during', async () => {
    expect(await sending(sessionOf('latency'), client, AbortSignal.abort())).toEqual(aborted(name));
    const leave = new AbortController();
    server.failures.push(-1);
    server.whenHeld = () => leave.abort();
    expect(await sending(sessionOf('latency'), client, leave.signal)).toEqual(aborted(name));
    expect(server.carriedOut).toEqual([]);
  });

  test('the server’s own failure stays what it is, and the fault was not made of it', async () => {
    server.failures.push(500);
    const session = sessionOf('empty', { mode: { calls: 1 } });
    expect(await sending(session, client)).toEqual({ status: 500, retryAfter: null, body: { error: 'its own' } });
    expect(server.carriedOut).toEqual([]);
  });

  test('what cannot be made of the answer is carried out once, and passed on', async () => {
    const session = sessionOf({ kind: 'malformed', field: 'nowhere' });
    expect(await sending(session, client)).toEqual(real);
    expect(server.carriedOut).toEqual([args]);
  });

  test('requests outside of the tool, to another address, or left running after it are let pass', async () => {
    const session = sessionOf(
      'http_503',
      { mode: 'until_end' },
      { tools: { send: { endpoint: 'http://elsewhere.test/' } } },
    );
    expect(await sending(session, client)).toEqual(real);
    const late: Promise<unknown>[] = [];
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const other = sessionOf('http_503', { mode: 'until_end' });
    const { send } = wrapTools(other, {
      send: async (given: Args) => {
        late.push(left.then(() => client(server.url, given)));
        return 'done';
      },
    });
    await send(args);
    leave();
    expect(await Promise.all(late)).toEqual([real]);
    expect(await client(server.url, args)).toEqual(real);
  });

  test('what an exporter sends from within a tool is let pass', async () => {
    const { send } = wrapTools(sessionOf('http_503'), {
      send: (given: Args) => context.with(suppressTracing(context.active()), () => client(server.url, given)),
    });
    expect(await send(args)).toEqual(real);
  });

  test('trials that run at once meet each its own fault', async () => {
    const faults = ['http_503', 'http_429', 'empty', 'latency'];
    const found = await Promise.all(
      [...faults, ...faults].map((fault) => sending(sessionOf(fault, { mode: 'until_end' }), client)),
    );
    const statuses = found.map((each) => (each as { status: number }).status);
    expect(statuses).toEqual([503, 429, 200, 200, 503, 429, 200, 200]);
    expect(found[2]).not.toEqual(real);
    expect(found[3]).toEqual(real);
  });
});

describe.each(Object.entries(retryingClients))('below %s', (_, client) => {
  const statusOf = async (row: object): Promise<unknown> => {
    const { view } = await record(() => runAgent(sessionOf('http_503', row), client));
    const verdict = recoveryClassified.evaluate(view, recoveryClassified.parameters.parse({ budget: 'unlimited' }));
    const receipts = view.run.traces
      .flatMap(({ spans }) => spans.flatMap((span) => span.events.map(({ name }) => [name, span.name])))
      .filter(([name]) => name?.startsWith('otel_eval.fault.'))
      .map(([name, on]) => [name?.slice('otel_eval.fault.'.length), on]);
    return { status: verdict.facts?.['status'], receipts };
  };

  test('a fault that its retries swallow is absorbed', async () => {
    expect(await statusOf({})).toEqual({
      status: 'absorbed',
      receipts: [
        ['armed', 'invoke_agent one call'],
        ['matched', 'execute_tool send'],
        ['applied', 'execute_tool send'],
      ],
    });
    expect(server.carriedOut.length).toBe(1);
  });

  test('one that outlasts them reaches the model', async () => {
    const { status, receipts } = (await statusOf({ mode: 'until_end' })) as { status: string; receipts: string[][] };
    expect(receipts.map(([stage]) => stage)).toEqual(['armed', 'matched', 'applied', 'delivered']);
    expect(receipts.at(-1)?.[1]).toBe('chat scripted-1');
    expect(status).not.toBe('absorbed');
    expect(server.carriedOut.length).toBe(0);
  });

  test.each([503, 0])(
    'a retry after %i of the server itself stays in its own trial, whoever opened the socket',
    async (own) => {
      const limited = { type: 'RateLimitError', message: '', status: 429, retryAfterSeconds: null };
      let planted = false;
      const others: WireCall = { next: () => (planted ? async () => ({ failure: limited }) : undefined) };
      expect(await duringCall(others, () => client(server.url, args))).toEqual(real);
      planted = true;
      server.failures.push(own);
      let tries = 0;
      const next = (): WireFault | undefined => {
        tries += 1;
        return tries === 1 ? undefined : async () => ({ returned: 'its own' });
      };
      const seen = await duringCall({ next }, () => client(server.url, args));
      expect([seen, tries]).toEqual([{ status: 200, retryAfter: null, body: 'its own' }, 2]);
    },
  );
});

/** One call of the tool between two of the model. */
async function runAgent(session: FaultSession, client: WireClient): Promise<void> {
  await agentRun({ name: 'one call', instrumented: 'all' }, async () => {
    const { row, ledger } = session;
    const plan = { hash: 'sha256:0' };
    const inside = new FaultSession({ plan, row, ledger });
    const { send } = wrapTools(inside, {
      send: async (given: Args, _: object) => {
        const { status, body } = await client(server.url, given);
        if (status >= 400) throw new Error(`send: ${status}`);
        return body;
      },
    });
    const ask = (input: object[], output: object, finish: string): Promise<void> =>
      modelCall({ model: 'scripted-1', provider: 'scripted', input }, async (response) => {
        inside.sawModelRequest(input);
        response({
          finishReasons: [finish],
          usage: { input: 1, output: 1 },
          output: [{ role: 'assistant', parts: [output] }],
        });
      });
    await ask([], { type: 'tool_call', id: 'c1', name: 'send', arguments: args }, 'tool_calls');
    const response = await toolCall({ name: 'send', callId: 'c1', arguments: args }, async () =>
      send(args, { callId: 'c1' }),
    ).catch((thrown: Error) => ({ error: thrown.message }));
    await ask(
      [{ role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response }] }],
      { type: 'text', content: 'Done.' },
      'stop',
    );
    await inside.close({ endStatePasses: true });
  });
}

describe('installing', () => {
  test('the last one that leaves puts the originals back, in any order, also for named imports', () => {
    restore();
    const before = { request: http.request, get: http.get, secure: https.request, fetch: globalThis.fetch };
    const leave = [installFaultedHttp(), installFaultedHttp(), installFaultedFetch(), installFaultedFetch()];
    expect(http.request).not.toBe(before.request);
    expect(httpNames.request).toBe(http.request);
    leave[0]?.();
    leave[0]?.();
    leave[2]?.();
    expect(http.request).not.toBe(before.request);
    expect(globalThis.fetch).not.toBe(before.fetch);
    leave[1]?.();
    leave[3]?.();
    expect([http.request, http.get, https.request, globalThis.fetch]).toEqual(Object.values(before));
    expect(httpNames.request).toBe(before.request);
  });

  test('Node’s own fetch, where undici’s dispatcher is the global one', async () => {
    const before = getGlobalDispatcher();
    setGlobalDispatcher(new Agent().compose(faultInterceptor()));
    try {
      const { send } = wrapTools(sessionOf('http_503'), {
        send: async (given: Args) => (await fetch(server.url, { method: 'POST', body: JSON.stringify(given) })).status,
      });
      expect([await send(args), await send(args)]).toEqual([503, 200]);
    } finally {
      setGlobalDispatcher(before);
    }
  });

  test('without a session in this context everything is as it was', async () => {
    for (const client of Object.values(wireClients)) expect(await client(server.url, args)).toEqual(real);
  });

  test('https: no connection is made for a request that is hit, and none but ours is touched', async () => {
    const session = sessionOf('http_503', { mode: 'until_end' });
    const { send } = wrapTools(session, {
      send: (): Promise<number> =>
        new Promise((resolve, reject) => {
          https
            .get('https://tools.test:1/send', (response) => resolve(response.resume().statusCode ?? 0))
            .on('error', reject);
        }),
    });
    expect(await send()).toBe(503);
  });
});
