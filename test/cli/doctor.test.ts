import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedLines } from '../sdk-lines/installed-lines.mjs';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const lines = installedLines();
/** A package that brings its own copy of the API, and makes a span with it. */
const agent = `
import { trace } from '@opentelemetry/api';
export const isRecorded = () => trace.getTracer('agent').startSpan('chat m').isRecording();
`;
const modules = resolve(import.meta.dirname, '..', '..', 'node_modules');

let collector: Server;
let address = '';
beforeAll(async () => {
  collector = createServer((request, response) =>
    response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}'),
  );
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => void collector.close());

interface Project {
  /** Real packages, linked from this repository. */
  readonly real?: readonly string[];
  /** Packages of which only the manifest matters here. */
  readonly named?: Readonly<Record<string, string>>;
  /** Real packages of the other line of the SDK, by where they stand. */
  readonly other?: Readonly<Record<string, string>>;
  readonly app?: string;
  readonly env?: Record<string, string>;
}

const sdk = [
  'api',
  'core',
  'resources',
  'semantic-conventions',
  'sdk-trace',
  'sdk-trace-base',
  'sdk-trace-node',
  'context-async-hooks',
].map((name) => `@opentelemetry/${name}`);

function project(name: string, { real = sdk, named = {}, other = {}, app = '' }: Project): string {
  const folder = scratch.file(name);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', type: 'module' }));
  for (const one of real) {
    const target = join(folder, 'node_modules', one);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(modules, one), target);
  }
  for (const [path, version] of Object.entries(named)) {
    const at = join(folder, 'node_modules', path);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name: path.replace(/^.*node_modules\//, ''), version }));
  }
  for (const [path, one] of Object.entries(other)) {
    const at = join(folder, 'node_modules', path);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(join(lines.folder, 'sdk-3', 'node_modules', one), at);
  }
  if (Object.keys(other).length > 0) writeFileSync(join(folder, 'node_modules', 'agent', 'index.mjs'), agent);
  writeFileSync(join(folder, 'app.mjs'), app);
  return folder;
}

async function diagnose(
  name: string,
  given: Project,
): Promise<{ first: string | undefined; text: string; code: number }> {
  const cwd = project(name, given);
  const env = { PATH: process.env['PATH'] ?? '', OTEL_EXPORTER_OTLP_ENDPOINT: address, ...given.env };
  const command = given.app === undefined ? [] : ['--', process.execPath, 'app.mjs'];
  const { stdout, code } = await runCli(['doctor', '--json', ...command], { cwd, env });
  return { first: JSON.parse(stdout).causes[0]?.id, text: stdout, code };
}

const start = (processor: string, after = '') => `
import { trace } from '@opentelemetry/api';
import { BatchSpanProcessor, AlwaysOffSampler, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
const provider = new NodeTracerProvider(${processor});
provider.register();
trace.getTracer('app').startSpan('work').end();
${after}`;
/** A processor whose exporter nobody can see, and that sends nothing. */
const hidden = '{ spanProcessors: [{ onStart() {}, onEnd() {}, async forceFlush() {}, async shutdown() {} }] }';
const batched = '{ spanProcessors: [new BatchSpanProcessor(new InMemorySpanExporter())] }';

test.each([
  ['off-in-tests', { real: [...sdk, '@openai/agents'], env: { NODE_ENV: 'test' } }],
  ['sdk-disabled', { env: { OTEL_SDK_DISABLED: 'true' } }],
  ['several-apis', { named: { 'agent/node_modules/@opentelemetry/api': '1.10.0', agent: '1.0.0' } }],
  ['several-sdks', { named: { 'agent/node_modules/@opentelemetry/sdk-trace': '3.1.1', agent: '1.0.0' } }],
  [
    'no-provider',
    { app: "import { trace } from '@opentelemetry/api'; trace.getTracer('app').startSpan('work').end();" },
  ],
  ['no-sdk', { real: ['@opentelemetry/api'] }],
  [
    'sampler-off',
    {
      app: start(
        '{ sampler: new AlwaysOffSampler(), spanProcessors: [new BatchSpanProcessor(new InMemorySpanExporter())] }',
      ),
    },
  ],
  ['no-flush', { app: start(batched, 'process.exit(0);') }],
  ['no-span', { app: start(batched, 'await provider.shutdown();').replace(/^trace\.getTracer.*$/m, '') }],
  [
    'sampled-out',
    {
      app: start(batched, 'await provider.shutdown();'),
      env: { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1e-9' },
    },
  ],
  ['no-end', { app: start(batched, 'await provider.shutdown();').replace('.end();', ';') }],
  ['not-exported', { app: start(hidden) }],
  ['no-processor', { app: start('{}') }],
  ['exporter-unreachable', { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } }],
  ['instrumentation-skips-version', { named: { '@traceloop/instrumentation-openai': '0.27.0', openai: '7.59.0' } }],
] satisfies [string, Project][])('%s comes first', async (cause, given) => {
  const { first, code } = await diagnose(cause, given);
  expect(first).toBe(cause);
  expect(code).toBe(1);
});

const skipped = join(lines.folder, 'skipped', 'node_modules');
const skippedIsThere = lines.missing === undefined && existsSync(join(skipped, '@traceloop'));

/** A model call through the real client of a vendor, below the real instrumentation of it; prints how many spans came. */
const clientApp = `
const { createServer } = require('node:http');
const { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } = require('@opentelemetry/sdk-trace');
const { OpenAIInstrumentation } = require('@traceloop/instrumentation-openai');
const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const instrumentation = new OpenAIInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.enable();
const { OpenAI } = require('openai');
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[]}');
});
server.listen(0, '127.0.0.1', async () => {
  const client = new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:' + server.address().port + '/v1' });
  const { id } = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
  console.log(JSON.stringify({ id, spans: exporter.getFinishedSpans().length }));
  server.close();
});
`;

test.skipIf(!skippedIsThere)(
  `a real instrumentation beside a real package that it skips: no span, and that is the first cause${skippedIsThere ? '' : ' (skipped: not installed; bash test/sdk-lines/install.sh)'}`,
  async () => {
    const cwd = scratch.file('really-skipped');
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{"name":"really-skipped"}');
    symlinkSync(skipped, join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'app.cjs'), clientApp);
    const env = { PATH: process.env['PATH'] ?? '', OTEL_EXPORTER_OTLP_ENDPOINT: address };
    const ran = spawnSync(process.execPath, ['app.cjs'], { cwd, env, encoding: 'utf8' });
    expect([ran.stderr, ran.stdout]).toEqual(['', '{"id":"x","spans":0}\n']);
    const { stdout, code } = await runCli(['doctor', '--json'], { cwd, env });
    const [first] = JSON.parse(stdout).causes;
    expect([first.id, first.found, code]).toEqual([
      'instrumentation-skips-version',
      '@traceloop/instrumentation-openai knows openai 4 to 6 and leaves the installed 7.59.0 alone without a word',
      1,
    ]);
  },
);

test('a wrong path of the exporter, credentials left out', async () => {
  const { first, text } = await diagnose('wrong-path', {
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${address.replace('//', '//user:hunter2@')}/traces` },
  });
  expect(first).toMatch(/^exporter-/);
  expect(text).not.toContain('hunter2');
});

test('an address without a scheme', async () => {
  const { first, text } = await diagnose('no-scheme', { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' } });
  expect(first).toBe('exporter-address');
  expect(text).toContain('the address of the exporter has no scheme in front of it');
});

test('a variable that kept no span is no cause', async () => {
  const app = start(batched, 'await provider.shutdown();');
  const { first, code } = await diagnose('exporter-none', { app, env: { OTEL_TRACES_EXPORTER: 'none' } });
  expect([first, code]).toEqual([undefined, 0]);
});

test('a project that is in order', async () => {
  const { first, code } = await diagnose('in-order', { app: start(batched, 'await provider.shutdown();') });
  expect([first, code]).toEqual([undefined, 0]);
});

test('one copy that is reached by several links is one copy', async () => {
  const cwd = project('linked', {});
  mkdirSync(join(cwd, 'node_modules', 'agent', 'node_modules', '@opentelemetry'), { recursive: true });
  writeFileSync(join(cwd, 'node_modules', 'agent', 'package.json'), '{"name":"agent","version":"1.0.0"}');
  symlinkSync(
    join(modules, '@opentelemetry/api'),
    join(cwd, 'node_modules', 'agent', 'node_modules', '@opentelemetry', 'api'),
  );
  const { stdout } = await runCli(['doctor'], { cwd, env: { OTEL_EXPORTER_OTLP_ENDPOINT: address } });
  expect(stdout).toBe('no cause found; run the app behind -- to look at its provider too\n');
});

test('the text names what was found and what to do', async () => {
  const cwd = project('text', { real: ['@opentelemetry/api'] });
  const { stdout } = await runCli(['doctor'], { cwd, env: { OTEL_EXPORTER_OTLP_ENDPOINT: address } });
  expect(stdout).toBe(`1. @opentelemetry/api is installed and no SDK, so there is no provider and every span is a no-op
   start the app with node --import otel-eval/register
`);
});

describe.skipIf(lines.missing !== undefined)(
  `two lines${lines.missing === undefined ? '' : ` (skipped: ${lines.missing})`}`,
  () => {
    const app = start(
      batched,
      "const { isRecorded } = await import('agent/index.mjs'); if (isRecorded()) process.exit(9);",
    );
    const api = { 'agent/node_modules/@opentelemetry/api': '@opentelemetry/api' };

    test('a newer copy of the API really does not see the provider, and that is the first cause', async () => {
      const named = { agent: '1.0.0' };
      const { first, text } = await diagnose('real-apis', {
        named,
        other: api,
        app: `${app}\nawait provider.shutdown();`,
      });
      expect(first).toBe('several-apis');
      expect(text).toContain('1.9.1 at node_modules/@opentelemetry/api');
      expect(text).toContain('1.10.0 at node_modules/agent/node_modules/@opentelemetry/api');
    });

    test('a second line of the SDK beside the first', async () => {
      const other = { 'agent/node_modules/@opentelemetry/sdk-trace': '@opentelemetry/sdk-trace' };
      const { first, text } = await diagnose('real-sdks', { named: { agent: '1.0.0' }, other });
      expect(first).toBe('several-sdks');
      expect(text).toContain(
        '@opentelemetry/sdk-trace 3.1.1 at node_modules/agent/node_modules/@opentelemetry/sdk-trace',
      );
    });
  },
);

test('NODE_ENV=test really switches the tracing of the OpenAI Agents SDK off', async () => {
  const state = async (NODE_ENV: string) => {
    const script =
      "import { getGlobalTraceProvider } from '@openai/agents'; console.log(getGlobalTraceProvider().createTrace({ name: 't' }).constructor.name)";
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: resolve(modules, '..'),
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    await once(child, 'exit');
    return out.trim();
  };
  expect([await state('test'), await state('production')]).toEqual(['NoopTrace', 'Trace']);
});
