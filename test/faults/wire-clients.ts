import http, { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import got from 'got';
import { Agent, RetryAgent, fetch as undiciFetch, request as undiciRequest } from 'undici';
import { faultInterceptor } from '../../src/faults/inject/fault-interceptor.ts';

/** What a client makes of an answer; an error of its own is thrown. */
export interface Seen {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

export type WireClient = (url: string, args: unknown, signal?: AbortSignal) => Promise<Seen>;

const seen = (status: number, retryAfter: unknown, text: string): Seen => ({
  status,
  retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  body: JSON.parse(text),
});

const ownAgent = new http.Agent({ keepAlive: true });
const agent = new Agent().compose(faultInterceptor());
const retries = { maxRetries: 2, minTimeout: 1, maxTimeout: 1, methods: ['POST' as const] };
const retryAgent = new RetryAgent(new Agent().compose(faultInterceptor()), retries);

const undiciWith =
  (dispatcher: ConstructorParameters<typeof RetryAgent>[0]): WireClient =>
  async (url, args, signal) => {
    const options = { method: 'POST' as const, body: JSON.stringify(args), dispatcher };
    const { statusCode, headers, body } = await undiciRequest(url, { ...options, ...(signal ? { signal } : {}) });
    return seen(statusCode, headers['retry-after'], await body.text());
  };

const gotWith =
  (limit: number): WireClient =>
  async (url, args, signal) => {
    const retry = {
      limit,
      methods: ['POST' as const],
      calculateDelay: ({ computedValue = 0 }) => Math.min(1, computedValue),
    };
    const response = await got(url, {
      method: 'POST',
      body: JSON.stringify(args),
      throwHttpErrors: false,
      retry,
      ...(signal ? { signal } : {}),
    });
    return seen(response.statusCode, response.headers['retry-after'], response.body);
  };

/** Real clients that try once. */
export const wireClients: Readonly<Record<string, WireClient>> = {
  'undici request': undiciWith(agent),
  async 'undici fetch'(url, args, signal) {
    const body = JSON.stringify(args);
    const response = await undiciFetch(url, { method: 'POST', body, dispatcher: agent, ...(signal ? { signal } : {}) });
    return seen(response.status, response.headers.get('retry-after'), await response.text());
  },
  async 'node:http'(url, args, signal) {
    return new Promise((resolve, reject) => {
      const request = http.request(
        url,
        { method: 'POST', agent: ownAgent, ...(signal ? { signal } : {}) },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(seen(response.statusCode ?? 0, response.headers['retry-after'], text)));
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify(args));
    });
  },
  async axios(url, args, signal) {
    const response = await axios.post(url, args, {
      validateStatus: () => true,
      adapter: 'http',
      responseType: 'text',
      transformResponse: (data: unknown) => data,
      ...(signal ? { signal } : {}),
    });
    return seen(response.status, response.headers['retry-after'], response.data);
  },
  got: gotWith(0),
};

/** The same with the retries that come with them. */
export const retryingClients: Readonly<Record<string, WireClient>> = {
  'undici RetryAgent': undiciWith(retryAgent),
  'got with retries': gotWith(2),
};

/** A real server of tools on a free port of loopback, which compresses where it may; it notes what it carried out. */
export interface ToolServer {
  readonly url: string;
  readonly carriedOut: unknown[];
  /** Answers the next requests with these, in order, before the real ones; 0 hangs up, -1 never answers. */
  readonly failures: number[];
  /** Called when a request is not answered. */
  whenHeld: () => void;
  close(): Promise<void>;
}

// A client on a machine that stands still for a while must not find its connection closed.
const keepAliveTimeout = 600_000;

export async function openToolServer(answer: (args: never) => unknown): Promise<ToolServer> {
  const carriedOut: unknown[] = [];
  const failures: number[] = [];
  const server: Server = createServer({ keepAliveTimeout }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const failure = failures.shift();
      if (failure === -1) {
        tools.whenHeld();
        return;
      }
      if (failure === 0) {
        request.socket.destroy();
        return;
      }
      response.setHeader('content-type', 'application/json');
      if (failure !== undefined) {
        response.statusCode = failure;
        response.end('{"error":"its own"}');
        return;
      }
      carriedOut.push(JSON.parse(text));
      const body = JSON.stringify(answer(JSON.parse(text) as never));
      if (!String(request.headers['accept-encoding']).includes('gzip')) response.end(body);
      else response.setHeader('content-encoding', 'gzip').end(gzipSync(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tools: ToolServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    carriedOut,
    failures,
    whenHeld: () => {},
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tools;
}
