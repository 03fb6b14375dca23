import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { childEnvironment } from '../../src/instrument/environment.ts';
import { withRun } from '../../src/instrument/run-context.ts';
import { otlpRequest } from '../../src/register/otlp-span.ts';
import { builtCli } from '../cli/run/built-cli.ts';
import { completenessIn } from '../instrument/completeness.ts';
import { tracing } from '../instrument/tracing.ts';

const root = resolve(import.meta.dirname, '..', '..');
const app = join(import.meta.dirname, 'app.mjs');

interface Received {
  readonly names: string[];
  readonly spans: { name: string; traceId: string; parentSpanId?: string; attributes: Record<string, unknown> }[];
  readonly services: string[];
  /** Each request that was taken. */
  readonly bodies: string[];
}

let register = '';
beforeAll(() => {
  register = join(dirname(builtCli()), '..', 'register', 'index.js');
});

/** Machines may be slow. */
const patience = { timeout: 600_000 };

let server: Server | undefined;
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  server?.close();
});

async function receiver(status: (request: number) => number = () => 200): Promise<{ url: string; received: Received }> {
  const received: Received = { names: [], spans: [], services: [], bodies: [] };
  let requests = 0;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests++;
      const code = status(requests);
      if (code === 200) take(JSON.parse(Buffer.concat(chunks).toString()), received);
      response.writeHead(code).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

// biome-ignore lint/suspicious/noExplicitAny: a request as it came
function take(body: any, received: Received): void {
  received.bodies.push(JSON.stringify(body));
  for (const { resource, scopeSpans } of body.resourceSpans) {
    for (const { key, value } of resource.attributes)
      if (key === 'service.name') received.services.push(value.stringValue);
    for (const { spans } of scopeSpans) {
      for (const span of spans) {
        const attributes = Object.fromEntries(
          // biome-ignore lint/suspicious/noExplicitAny: likewise
          span.attributes.map(({ key, value }: any) => [key, Object.values(value)[0]]),
        );
        received.names.push(span.name);
        received.spans.push({ ...span, attributes });
      }
    }
  }
}

/** A process that knows nothing of OpenTelemetry, and starts what it is given. */
const between = `
const { spawn } = require('node:child_process');
spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' }).on('exit', (code) => process.exit(code));
`;

async function run(
  url: string,
  mode: string,
  environment: Record<string, string> = {},
  before: readonly string[] = [],
): Promise<[number | null, string | null]> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_SERVICE_NAME: 'order-support',
    ...environment,
  };
  child = spawn(process.execPath, [...before, '--import', register, app, mode], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (data: Buffer) => {
    if (data.toString().includes('ready')) child?.kill('SIGTERM');
  });
  return (await once(child, 'exit')) as [number | null, string | null];
}

test('--import alone sends the spans of an app, without content, when it ends by itself', async () => {
  const { url, received } = await receiver();
  expect(await run(url, 'end')).toEqual([0, null]);
  expect(received.names).toEqual(['execute_tool lookup', 'invoke_agent demo']);
  expect(received.services).toEqual(['order-support']);
  expect(received.spans[1]?.attributes['otel_eval.receipt.spans']).toBe(2);
  expect(received.spans[0]?.parentSpanId).toBe((received.spans[1] as unknown as { spanId: string }).spanId);
  expect(JSON.stringify(received)).not.toContain('private words');
});

test('a signal still ends the process, after the flush', async () => {
  const { url, received } = await receiver();
  expect(await run(url, 'wait')).toEqual([null, 'SIGTERM']);
  expect(received.names).toEqual(['execute_tool lookup', 'invoke_agent demo']);
});

test('where the app handles the signal itself, it decides', async () => {
  const { url, received } = await receiver();
  const ended = run(url, 'handle');
  await expect.poll(() => received.names, patience).toEqual(['execute_tool lookup', 'invoke_agent demo']);
  child?.stdin?.end();
  expect(await ended).toEqual([7, null]);
});

test('a server that is busy is asked again; a process whose server is gone ends all the same', async () => {
  const { url, received } = await receiver((request) => (request === 1 ? 503 : 200));
  expect(await run(url, 'end')).toEqual([0, null]);
  expect(received.names).toHaveLength(2);
  expect(await run('http://127.0.0.1:9', 'end')).toEqual([0, null]);
});

test('a child process goes on in the trace and run of its parent', async () => {
  const { url, received } = await receiver();
  const environment = {
    TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    OTEL_EVAL_RUN_ID: 'run-7',
  };
  expect(await run(url, 'end', environment)).toEqual([0, null]);
  const agent = received.spans.find(({ name }) => name === 'invoke_agent demo');
  expect(agent?.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(agent?.parentSpanId).toBe('b7ad6b7169203331');
  expect(agent?.attributes['otel_eval.run.id']).toBe('run-7');
});

test.each([
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, []],
  [{ OTEL_SDK_DISABLED: 'true' }, []],
  [{ OTEL_TRACES_EXPORTER: 'none' }, []],
])('%j sends nothing, and the app runs as ever', async (environment, names) => {
  const { url, received } = await receiver();
  expect(await run(url, 'end', environment as Record<string, string>)).toEqual([0, null]);
  expect(received.names).toEqual(names);
});

test('the resource of the environment goes along, as far as it is metadata', async () => {
  const { url, received } = await receiver();
  const environment = {
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,app.note=words%20of%20a%20person',
    OTEL_TRACES_SAMPLER: 'traceidratio',
  };
  expect(await run(url, 'end', environment)).toEqual([0, null]);
  expect(received.names).toHaveLength(2);
  expect(received.bodies.join()).toContain('staging');
  expect(received.bodies.join()).not.toContain('words of a person');
});

test('three processes, one of them without instrumentation: one trace, one run, whole', async () => {
  const { url, received } = await receiver();
  const { tracer, spans } = tracing();
  const inRun = withRun({ runId: 'run-8' }, ROOT_CONTEXT);
  const root = tracer.startSpan('invoke_agent first', {}, inRun);
  const environment = context.with(trace.setSpan(inRun, root), childEnvironment);
  expect(await run(url, 'end', environment, ['-e', between, '--'])).toEqual([0, null]);
  root.end();
  const requests = [otlpRequest(spans()), ...received.bodies];
  const wholes = [...completenessIn(requests).values()];
  expect(wholes.map(({ state, reasons }) => [state, ...reasons])).toEqual([['proven', '2 receipts say 3']]);
  expect(received.spans.map(({ attributes }) => attributes['otel_eval.run.id'])).toEqual(['run-8', 'run-8']);
});
