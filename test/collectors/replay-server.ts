import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

export interface ServedRequest {
  readonly method: string;
  /** Path and query, as it came. */
  readonly target: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
  /** Send the head and half of the body, then cut the connection. */
  readonly cutOff?: boolean;
  /** Send the body byte by byte, and wait so before each. */
  readonly beforeEachByte?: () => Promise<void>;
}

/** `hang`: accept and never answer. `refuse`: drop the connection. */
export type Behaviour = (request: ServedRequest, count: number) => Reply | 'hang' | 'refuse' | Promise<Reply>;

/** A server on a free loopback port that answers as it is told and remembers what it was asked. */
export class ReplayServer {
  readonly requests: ServedRequest[] = [];
  url = '';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** With a certificate it speaks TLS. */
  static async start(
    behaviour: Behaviour,
    tls?: { readonly key: string; readonly cert: string },
  ): Promise<ReplayServer> {
    const server = tls === undefined ? createServer() : createSecureServer(tls);
    const replay = new ReplayServer(server);
    server.on('request', (request, response) => void replay.#serve(behaviour, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    replay.url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return replay;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(behaviour: Behaviour, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = incoming.url ?? '/';
    const { pathname, searchParams } = new URL(target, 'http://127.0.0.1');
    const request = {
      method: incoming.method ?? 'GET',
      target,
      path: pathname,
      parameters: searchParams,
      headers: incoming.headers,
    };
    this.requests.push(request);
    const reply = await behaviour(request, this.requests.length);
    if (reply === 'hang') return;
    if (reply === 'refuse') {
      incoming.socket.destroy();
      return;
    }
    send(response, reply);
  }
}

function send(response: ServerResponse, reply: Reply): void {
  const { status = 200, headers = {}, body = '', cutOff = false, beforeEachByte } = reply;
  const list = Array.isArray(headers) ? (headers as readonly (readonly [string, string])[]) : Object.entries(headers);
  response.writeHead(
    status,
    list.flatMap(([name, value]) => (isOfThisHop(name) ? [] : [name, value])),
  );
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (beforeEachByte !== undefined) {
    void trickle(response, bytes, beforeEachByte);
    return;
  }
  if (!cutOff) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
}

async function trickle(
  response: ServerResponse,
  bytes: Uint8Array,
  beforeEachByte: () => Promise<void>,
): Promise<void> {
  for (const byte of bytes) {
    await beforeEachByte();
    if (response.destroyed) return;
    response.write(Uint8Array.of(byte));
  }
  response.end();
}

/** Length and connection belong to the recording's own connection; the rest is replayed. */
function isOfThisHop(name: string): boolean {
  return /^(content-length|transfer-encoding|connection|date)$/i.test(name);
}

/** A JSON reply. */
export function json(value: unknown, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

interface Exchange {
  readonly name: string;
  readonly request: { readonly method: string; readonly target: string; readonly headers: Record<string, string> };
  readonly response: {
    readonly status: number;
    readonly headers: [string, string][];
    readonly bodyFile?: string | null;
  };
  readonly body: Uint8Array;
}

const read = new Map<string, readonly Exchange[]>();

/** All recorded exchanges of one folder of `shared/cases/wire`. */
export function recordedExchanges(folder: string): readonly Exchange[] {
  const known = read.get(folder) ?? readExchanges(folder);
  read.set(folder, known);
  return known;
}

function readExchanges(folder: string): Exchange[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.http.json'))
    .sort()
    .map((name) => {
      const { request, response } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Omit<
        Exchange,
        'body' | 'name'
      >;
      const file = response.bodyFile ? join(folder, response.bodyFile) : undefined;
      const body = file !== undefined && existsSync(file) ? readFileSync(file) : new Uint8Array();
      return { name: name.replace('.http.json', ''), request, response, body };
    });
}

/** Answers as the recorded server did: by method, target and what the client accepts. Servers ignore parameters they do not know. */
export function replayOf(folder: string): Behaviour {
  const exchanges = recordedExchanges(folder);
  return (request) => {
    const candidates = exchanges.filter(
      ({ request: { method, headers } }) =>
        method === request.method && (headers['x-scope-orgid'] ?? '') === (request.headers['x-scope-orgid'] ?? ''),
    );
    const matching = (test: (recorded: string, asked: string) => boolean) =>
      candidates.filter(({ request: { target } }) => test(target, request.target));
    const ways = [sameQuestion, sameButForKnobs, sameSearch];
    const alike = ways.map(matching).find((found) => found.length > 0) ?? [];
    const accepted = alike.filter(({ request: { headers } }) => headers['accept'] === request.headers.accept);
    // The same question was recorded before and after there was anything to find.
    const [found] = (accepted.length > 0 ? accepted : alike).sort((a, b) => b.body.length - a.body.length);
    if (found === undefined) return { status: 599, body: `not recorded: ${request.target}` };
    return replyOf(found);
  };
}

/** One recorded answer, whatever is asked. */
export function recorded(folder: string, name: string): Behaviour {
  const found = recordedExchanges(folder).find((exchange) => exchange.name === name);
  if (found === undefined) throw new Error(`not recorded: ${name}`);
  return () => replyOf(found);
}

function replyOf({ response, body }: Exchange): Reply {
  return { status: response.status, headers: response.headers, body };
}

function sameQuestion(recorded: string, asked: string): boolean {
  const [a, b] = [new URL(recorded, 'http://x'), new URL(asked, 'http://x')];
  a.searchParams.sort();
  b.searchParams.sort();
  return a.pathname === b.pathname && a.searchParams.toString() === b.searchParams.toString();
}

/** Parameters that the recording client did not send and that change nothing in these recordings. */
function sameButForKnobs(recorded: string, asked: string): boolean {
  const url = new URL(asked, 'http://x');
  for (const name of ['span_pruning', 'raw', 'rawTraces', 'raw_traces']) url.searchParams.delete(name);
  return sameQuestion(recorded, url.pathname + url.search);
}

/** A search for the same thing, in another window or with another limit. */
function sameSearch(recorded: string, asked: string): boolean {
  const [a, b] = [new URL(recorded, 'http://x'), new URL(asked, 'http://x')];
  const subject = ['q', 'query.service_name', 'service'].find((name) => b.searchParams.has(name));
  return (
    subject !== undefined && a.pathname === b.pathname && a.searchParams.get(subject) === b.searchParams.get(subject)
  );
}
