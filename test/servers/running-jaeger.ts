import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';

interface JaegerConfig {
  extensions: {
    healthcheckv2: { http: { endpoint: string } };
    jaeger_query: { http: { endpoint: string }; grpc: { endpoint: string } };
  };
  receivers: { otlp: { protocols: Record<string, { endpoint: string }> } };
}

/** A Jaeger of its own on free loopback ports, with the configuration of `deploy/jaeger`. */
export class RunningJaeger {
  readonly queryUrl: string;
  readonly otlpUrl: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(
    queryUrl: string,
    otlpUrl: string,
    { process, folder }: { process: ChildProcess; folder: string },
  ) {
    this.queryUrl = queryUrl;
    this.otlpUrl = otlpUrl;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(binary: string): Promise<RunningJaeger> {
    const ports = await freePorts(5);
    const [health = '', query = '', grpc = '', otlpGrpc = '', otlpHttp = ''] = ports.map((port) => `127.0.0.1:${port}`);
    const text = readFileSync(resolve(import.meta.dirname, '../../deploy/jaeger/jaeger.yaml'), 'utf8');
    const config = parse(text) as JaegerConfig;
    config.extensions.healthcheckv2.http.endpoint = health;
    config.extensions.jaeger_query.http.endpoint = query;
    config.extensions.jaeger_query.grpc.endpoint = grpc;
    config.receivers.otlp.protocols = { grpc: { endpoint: otlpGrpc }, http: { endpoint: otlpHttp } };
    const folder = mkdtempSync(join(tmpdir(), 'otel-eval-jaeger-'));
    writeFileSync(join(folder, 'jaeger.yaml'), stringify(config));
    const process = spawn(binary, [`--config=${join(folder, 'jaeger.yaml')}`], { stdio: 'ignore' });
    const jaeger = new RunningJaeger(`http://${query}`, `http://${otlpHttp}`, { process, folder });
    await jaeger.#healthy(`http://${health}/status`);
    return jaeger;
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#process.once('exit', done));
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #healthy(url: string): Promise<void> {
    for (let attempt = 0; attempt < 1_500; attempt++) {
      const answer = await fetch(url).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((done) => setTimeout(done, 200));
    }
    await this.stop();
    throw new Error('Jaeger did not get ready within five minutes');
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
