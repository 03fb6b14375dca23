import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { viewerShell } from '../../report/html/viewer-shell.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { FileWatch } from './file-watch.ts';
import { isLoopbackHeader } from './loopback.ts';
import { pageOfFile } from './page-of-file.ts';

export interface ViewServerOptions {
  readonly host: string;
  readonly port: number;
  readonly cwd: string;
  /** The files to be shown, as of now. */
  readonly list: () => Promise<string[]>;
  readonly first: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly policy: string;
  readonly body: string | Buffer;
}

const text = 'text/plain; charset=utf-8';
const markup = 'text/html; charset=utf-8';
const nothing = "default-src 'none'; frame-ancestors 'self'";
/** HTML from a file may hold anything: it gets an origin of its own, and reaches nothing. */
const foreign =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/** Serves files as pages to browsers of this machine, and tells them when a file has changed. */
export class ViewServer {
  readonly #options: ViewServerOptions;
  readonly #server: Server;
  readonly #listeners = new Set<ServerResponse>();
  readonly #watch: FileWatch;
  #paths: readonly string[];

  private constructor(options: ViewServerOptions) {
    this.#options = options;
    this.#paths = options.first;
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
    this.#watch = new FileWatch(options.first, {
      cwd: options.cwd,
      list: options.list,
      onChanged: (path) => this.#tell('changed', `/page/${this.#paths.indexOf(path)}`),
      onListed: (paths) => {
        this.#paths = paths;
        this.#tell('listed', String(paths.length));
      },
    });
  }

  static async listen(options: ViewServerOptions): Promise<ViewServer> {
    const server = new ViewServer(options);
    await server.#watch.ready;
    try {
      await new Promise<void>((resolve, reject) => {
        server.#server.once('error', reject);
        server.#server.listen(options.port, options.host, resolve);
      });
    } catch (cause) {
      server.#watch.end();
      const code = (cause as NodeJS.ErrnoException).code ?? '';
      const reason = code === 'EADDRINUSE' ? 'the port is in use' : code;
      throw new OtelEvalError('OTEL_EVAL_IO', `cannot listen on ${options.host}:${options.port}: ${reason}`, { cause });
    }
    return server;
  }

  get url(): string {
    const { host } = this.#options;
    const { port } = this.#server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  }

  async close(): Promise<void> {
    this.#watch.end();
    for (const listener of this.#listeners) listener.end();
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLoopbackHeader(request.headers.host)) {
      send(response, { status: 403, type: text, policy: nothing, body: 'served to this machine only\n' });
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      send(response, { status: 405, type: text, policy: nothing, body: 'there is nothing to be changed here\n' });
    } else if (request.url === '/events') this.#listen(response);
    else send(response, await this.#answer(request.url ?? '/'));
  }

  async #answer(url: string): Promise<Answer> {
    const [, kind, digits = '0'] = /^\/(?:(file|page)\/(\d{1,4}))?$/.exec(url) ?? [];
    const at = Number(digits);
    const path = this.#paths[at];
    if (kind !== 'page' && (url === '/' || (kind === 'file' && path !== undefined))) {
      const files = this.#paths.map((name, i) => ({ name, page: `/page/${i}` }));
      const { document, policy } = viewerShell(files, at);
      return { status: 200, type: markup, policy, body: document };
    }
    if (path === undefined) return { status: 404, type: text, policy: nothing, body: 'no such page\n' };
    try {
      const { document, ours } = await pageOfFile(path, this.#options.cwd);
      // What we make carries its policy within.
      return { status: 200, type: markup, policy: ours ? "frame-ancestors 'self'" : foreign, body: document };
    } catch (error) {
      const message = OtelEvalError.is(error) ? error.message : `cannot show ${path}`;
      return { status: 500, type: text, policy: nothing, body: `${message}\n` };
    }
  }

  #listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headersFor(nothing) });
    response.write(': listening\n\n');
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
  }

  #tell(event: string, data: string): void {
    for (const listener of this.#listeners) listener.write(`event: ${event}\ndata: ${data}\n\n`);
  }
}

function send(response: ServerResponse, { status, type, policy, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, ...headersFor(policy) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function headersFor(policy: string): Record<string, string> {
  return {
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
