import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** What a proxy was asked, as `CONNECT host:port` or `GET http://host:port/path`, with the credentials it was given. */
export interface ProxiedRequest {
  readonly line: string;
  readonly credentials: string | undefined;
}

/** A forward proxy on a free loopback port that leads every name to one server, or refuses with a code. */
export class ProxyServer {
  readonly requests: ProxiedRequest[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  static async start({ targetPort, refuses }: { targetPort: number; refuses?: number }): Promise<ProxyServer> {
    const server = createServer();
    const proxy = new ProxyServer(server);
    server.on('connection', (socket) => proxy.#keep(socket));
    server.on('request', async (request, response) => {
      proxy.#note(`${request.method} ${request.url}`, request.headers['proxy-authorization']);
      if (refuses !== undefined) {
        response.writeHead(refuses).end();
        return;
      }
      const { pathname, search } = new URL(request.url ?? '');
      const { accept = '' } = request.headers;
      const answer = await fetch(`http://127.0.0.1:${targetPort}${pathname}${search}`, { headers: { accept } });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    server.on('connect', (request, socket: Socket) => {
      proxy.#note(`CONNECT ${request.url}`, request.headers['proxy-authorization']);
      if (refuses !== undefined) {
        socket.end(`HTTP/1.1 ${refuses} No\r\n\r\n`);
        return;
      }
      const upstream = connect(targetPort, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      proxy.#keep(upstream);
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #note(line: string, credentials: string | undefined): void {
    this.requests.push({ line, credentials });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
