import { AsyncResource } from 'node:async_hooks';
import http, {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { type Duplex, duplexPair } from 'node:stream';
import { sharedInstallation } from './shared-installation.ts';
import { meetFault, type WireAnswer, type WireFault, type WireOutcome, wireFault } from './wire-fault.ts';

// A hit request is a real ClientRequest of Node over an in-memory pair of streams, with a real server of Node at the other
// end that never listens. Both ends are documented (`createConnection`, the event `connection`), so that headers, bodies,
// timeouts and aborts behave as on a socket, and no response is imitated. An Agent would not do: clients bring their own; a
// proxy would need a port, and a certificate for https. So `request` and `get` are patched, which axios, got and node-fetch
// look up when they call, and every other request goes to the originals untouched.

/**
 * Puts the faults below `node:http` and `node:https` of this process (axios, got, node-fetch and others stand on them); the
 * function that comes back takes them out again. Only requests made while a wrapped tool runs are hit.
 *
 * @example
 * const restore = installFaultedHttp();
 */
export const installFaultedHttp: () => () => void = sharedInstallation(() => {
  const removals = [patched(http, 'http:'), patched(https, 'https:')];
  syncBuiltinESMExports();
  return () => {
    for (const remove of removals) remove();
    syncBuiltinESMExports();
  };
});

type Send = (...all: unknown[]) => ClientRequest;

function patched(module: { request: unknown; get: unknown }, protocol: string): () => void {
  const { request, get } = module;
  const send = request as Send;
  const faulted: Send = (...all) => {
    const fault = wireFault(urlOf(all, protocol));
    return fault === undefined ? send(...all) : hit(fault, send, all);
  };
  const faultedGet: Send = (...all) => {
    const made = faulted(...all);
    made.end();
    return made;
  };
  Object.assign(module, { request: faulted, get: faultedGet });
  return () => {
    // Where somebody has wrapped it since, ours stays below theirs: outside of faulted trials it lets everything pass.
    if (module.request === faulted) module.request = request;
    if (module.get === faultedGet) module.get = get;
  };
}

function hit(fault: WireFault, send: Send, all: readonly unknown[]): ClientRequest {
  const [near, far] = duplexPair();
  near.once('close', () => far.destroy());
  const connection = { agent: undefined, createConnection: () => asSocket(near) };
  const request = send(...withOptions(all, connection));
  const answer = AsyncResource.bind(async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const given = new AbortController();
    near.once('close', () => given.abort());
    try {
      const body = await bytesOf(incoming);
      const outcome = await meetFault(fault, {
        text: body.toString(),
        signal: given.signal,
        send: (changed) => carryOut(send, all, { incoming, body: changed ?? body, signal: given.signal }),
      });
      tell(request, response, outcome);
    } catch (error) {
      request.destroy(error as Error);
    }
  });
  createServer((incoming, response) => void answer(incoming, response)).emit('connection', far);
  return request;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function tell(request: ClientRequest, response: ServerResponse, outcome: WireOutcome<RawAnswer>): void {
  if ('broken' in outcome) {
    request.destroy(Object.assign(new Error(outcome.broken.message), { code: 'ETIMEDOUT' }));
    return;
  }
  const { status, headers, body } = 'passed' in outcome ? outcome.passed : outcome;
  response.writeHead(status, without(headers, ofConnection));
  response.end(body);
}

interface ToCarryOut {
  readonly incoming: IncomingMessage;
  readonly body: string | Buffer;
  readonly signal: AbortSignal;
}

async function carryOut(send: Send, all: readonly unknown[], given: ToCarryOut): Promise<WireAnswer<RawAnswer>> {
  const { incoming, body, signal } = given;
  const headers = without(incoming.headers, [...ofConnection, 'accept-encoding']);
  const request = send(...withOptions(all, { headers, signal }).filter((each) => typeof each !== 'function'));
  request.end(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  const answer = await bytesOf(response);
  const status = response.statusCode ?? 0;
  return { raw: { status, headers: response.headers, body: answer }, status, text: answer.toString() };
}

const ofConnection = ['connection', 'transfer-encoding', 'content-length', 'expect', 'keep-alive'];

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What clients ask of a socket beyond a stream. */
function asSocket(stream: Duplex): Duplex {
  const itself = (): Duplex => stream;
  return Object.assign(stream, {
    setTimeout: itself,
    setNoDelay: itself,
    setKeepAlive: itself,
    ref: itself,
    unref: itself,
  });
}

/** `request(url, options, callback)`, `request(options, callback)`: the same with more options. */
function withOptions(all: readonly unknown[], more: object): unknown[] {
  const [first, second, ...rest] = all;
  if (typeof first !== 'string' && !(first instanceof URL)) return [{ ...(first as object), ...more }, second, ...rest];
  return typeof second === 'function' ? [first, more, second] : [first, { ...(second as object), ...more }, ...rest];
}

function urlOf(all: readonly unknown[], protocol: string): string {
  const [first, second] = all;
  const named = typeof first === 'string' || first instanceof URL;
  const options = ((named ? second : first) ?? {}) as Partial<Record<'hostname' | 'host' | 'port' | 'path', unknown>>;
  const { hostname, host, port, path } = options;
  const url = new URL(named ? first : `${protocol}//${String(hostname ?? host ?? 'localhost')}`);
  if (!named && port !== undefined && port !== null) url.port = String(port);
  return typeof path === 'string' ? new URL(path, url).href : url.href;
}
