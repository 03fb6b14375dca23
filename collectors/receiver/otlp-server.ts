import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { Intake } from './intake.ts';
import { type Answer, type BodyType, refused } from './otlp-answer.ts';
import { BadBody, bodyOf } from './request-body.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly largestBodyBytes: number;
  /** A request that is not whole after so long is cut off. */
  readonly requestTimeoutMs: number;
}

/** Bytes of all bodies in memory at once, as a multiple of the largest one. */
const bodiesAtOnce = 4;
const mostConnections = 256;

/** The HTTP side of the receiver. */
export class OtlpServer {
  readonly #server: Server;
  readonly #intake: Intake;
  readonly #largest: number;
  readonly #budget: { readonly most: number; used: number };
  /** When the newest request came, in ms of the monotonic clock; `undefined` before the first. */
  lastRequestMs: number | undefined;
  #closing: Promise<void> | undefined;

  private constructor(intake: Intake, { largestBodyBytes, requestTimeoutMs }: ServerOptions) {
    this.#intake = intake;
    this.#largest = largestBodyBytes;
    this.#budget = { most: largestBodyBytes * bodiesAtOnce, used: 0 };
    this.#server = createServer(
      {
        headersTimeout: Math.min(10_000, requestTimeoutMs),
        requestTimeout: requestTimeoutMs,
        keepAliveTimeout: 5_000,
        connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
      },
      (request, response) => {
        void this.#serve(request, response);
      },
    );
    this.#server.maxConnections = mostConnections;
  }

  static async listen(intake: Intake, options: ServerOptions): Promise<OtlpServer> {
    const server = new OtlpServer(intake, options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', (cause) => reject(cannotListen(options, cause)));
      server.#server.listen(options.port, options.host, resolve);
    });
    return server;
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  /** Lets requests that are under way end, up to `graceMs`; then cuts them off. */
  close(graceMs: number): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      const cut = setTimeout(() => this.#server.closeAllConnections(), graceMs);
      this.#server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      this.#server.closeIdleConnections();
    });
    return this.#closing;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.lastRequestMs = performance.now();
    let answer: Answer;
    try {
      answer = await this.#answerTo(request);
    } catch (error) {
      if (!(error instanceof BadBody)) {
        // The client went away, or was too slow: there is nobody to answer.
        response.destroy();
        return;
      }
      answer = refused(error.status, typeOf(request) ?? 'application/json', error.message);
    }
    this.lastRequestMs = performance.now();
    if (answer.status >= 400) {
      this.#intake.refused.requests += 1;
      this.#intake.refused.status = answer.status;
    }
    if (this.#closing !== undefined) response.setHeader('connection', 'close');
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  async #answerTo(request: IncomingMessage): Promise<Answer> {
    const type = typeOf(request);
    const signal = signals[String(request.url).split('?', 1)[0] ?? ''];
    if (signal === undefined) {
      return refused(404, type ?? 'application/json', 'expected /v1/traces, /v1/logs or /v1/metrics');
    }
    if (request.method !== 'POST') return refused(405, type ?? 'application/json', 'expected POST');
    if (type === undefined) {
      return refused(415, 'application/json', 'expected content-type application/json or application/x-protobuf');
    }
    const { body, done } = await bodyOf(request, this.#largest, this.#budget);
    try {
      return signal === 'metrics' ? this.#intake.metrics(type) : await this.#intake.take(body, type, signal);
    } finally {
      done();
    }
  }
}

const signals: Readonly<Record<string, 'traces' | 'logs' | 'metrics' | undefined>> = {
  __proto__: null as never,
  '/v1/traces': 'traces',
  '/v1/logs': 'logs',
  '/v1/metrics': 'metrics',
};

/** The content type without its parameters. */
function typeOf(request: IncomingMessage): BodyType | undefined {
  const [type = ''] = String(request.headers['content-type'] ?? '').split(';');
  const plain = type.trim().toLowerCase();
  return plain === 'application/json' || plain === 'application/x-protobuf' ? plain : undefined;
}

function cannotListen({ host, port }: ServerOptions, cause: unknown): OtelEvalError {
  const code = String((cause as NodeJS.ErrnoException).code);
  const reasons: Record<string, string> = {
    EADDRINUSE: 'the port is taken',
    EACCES: 'permission denied',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'this machine has no such address',
  };
  const message = `cannot listen on ${host}:${port}: ${reasons[code] ?? `the system says ${code}`}`;
  return new OtelEvalError('OTEL_EVAL_IO', message, {
    source: `${host}:${port}`,
    hint: 'Port 0 takes any free port.',
    cause,
  });
}
