import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { httpTarget } from '../../../src/suite/target/http-target.ts';
import { OtelEvalError } from '../../../src/trace/otel-eval-error.ts';
import { call, spanId, ticket, traceId } from './ticket.ts';

let server: Server | undefined;

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat?key=hidden`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function failure(
  url: string,
  options: { maxResponseBytes?: number; signal?: AbortSignal } = {},
): Promise<string> {
  const session = await httpTarget({ url, ...options }).open(ticket());
  try {
    await session.step(call('x', options.signal));
    return 'answered';
  } catch (error) {
    return OtelEvalError.is(error)
      ? `${error.code}: ${error.message.replace(/127\.0\.0\.1:\d+/, 'HOST')}`
      : String(error);
  }
}

describe('an HTTP chat endpoint', () => {
  test('gets the input, the conversation and the trace context', async () => {
    let seen: unknown;
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen = {
        method: request.method,
        trace: request.headers['traceparent'],
        baggage: request.headers['baggage'],
        body,
      };
      response.end('{"reply":"hello"}');
    });
    const target = httpTarget({
      url,
      body: { messages: [{ role: 'user', content: '{{input}}' }], id: 'c-{{conversation}}' },
    });
    expect(target.label).toBe(url.replace('?key=hidden', ''));
    const session = await target.open(ticket());
    expect(await session.step(call('hi "you"'))).toEqual({ reply: 'hello' });
    expect(seen).toEqual({
      method: 'POST',
      trace: `00-${traceId}-${spanId}-01`,
      baggage: 'otel_eval.run.id=run-1',
      body: '{"messages":[{"role":"user","content":"hi \\"you\\""}],"id":"c-main"}',
    });
  });

  test.each([
    [429, 'OTEL_EVAL_UNAVAILABLE'],
    [503, 'OTEL_EVAL_UNAVAILABLE'],
    [500, 'OTEL_EVAL_TARGET'],
    [401, 'OTEL_EVAL_TARGET'],
    [404, 'OTEL_EVAL_TARGET'],
  ])('an answer of %i is %s', async (status, code) => {
    const url = await serve((_request, response) => response.writeHead(status).end('secret words'));
    expect(await failure(url)).toBe(`${code}: expected http://HOST/chat to answer with 2xx, got ${status}`);
  });

  test('nobody there is unavailable; a reset in the middle is an error', async () => {
    const refusing = await serve(() => {});
    server?.close();
    expect(await failure(refusing)).toBe('OTEL_EVAL_UNAVAILABLE: no answer from http://HOST/chat: ECONNREFUSED');
    const resetting = await serve((request) => request.socket.resetAndDestroy());
    expect(await failure(resetting)).toBe('OTEL_EVAL_TARGET: no answer from http://HOST/chat: ECONNRESET');
    const cut = await serve((request, response) => {
      response.write('{"reply":');
      setTimeout(() => request.socket.resetAndDestroy(), 20);
    });
    expect(await failure(cut)).toMatch(/^OTEL_EVAL_TARGET: no answer from http:\/\/HOST\/chat: /);
  });

  test('a redirect is not followed, an endless answer not read', async () => {
    const redirecting = await serve((_request, response) => response.writeHead(302, { location: '/login' }).end());
    expect(await failure(redirecting)).toBe('OTEL_EVAL_TARGET: no answer from http://HOST/chat: the request failed');
    const endless = await serve((_request, response) => {
      const block = Buffer.alloc(65_536, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(block));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await failure(endless, { maxResponseBytes: 2 ** 20 })).toBe(
      'OTEL_EVAL_TOO_LARGE: http://HOST/chat answered with more than 1048576 bytes',
    );
  });

  test('a hanging one ends with the signal', async () => {
    const url = await serve(() => {});
    const deadline = new AbortController();
    setTimeout(() => deadline.abort(), 50);
    expect(await failure(url, { signal: deadline.signal })).toBe(
      'OTEL_EVAL_TARGET: no answer from http://HOST/chat: the request failed',
    );
  });
});
