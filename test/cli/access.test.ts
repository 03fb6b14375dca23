import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

const captured = '0af7651916cd43dd8448eb211c80319c';
const other = 'ffffffffffffffffffffffffffffffff';
const token = 'a-token-for-tests';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Handler = (incoming: IncomingMessage, response: ServerResponse) => void;

async function listening(handler: Handler): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const isAuthorised = ({ headers }: IncomingMessage) => headers.authorization === `Bearer ${token}`;
const span = (traceId: string) => ({ traceId, spanId: 'b7ad6b7169203331', name: 'chat m', startTimeUnixNano: '1' });
const otlp = (traceId: string) => ({ resourceSpans: [{ scopeSpans: [{ spans: [span(traceId)] }] }] });

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A Tempo that a token opens. */
const tempo =
  (traceId = captured, path = `/api/v2/traces/${captured}`): Handler =>
  (incoming, response) => {
    if (!isAuthorised(incoming)) response.writeHead(401).end('no org id');
    else if (incoming.url === path) json(response, path.includes('v2') ? { trace: otlp(traceId) } : otlp(traceId));
    else response.writeHead(404).end('404 page not found');
  };

async function access(url: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const given = ['access', '--url', url, '--trace-id', captured, '--deadline', '60s', ...args];
  return await runCli(given, { env: { OTEL_EVAL_TOKEN: token, ...env } });
}

const withThe = (first: string, second: string, last: string) =>
  `trace ${captured}\n  with credentials     ${first}\n  without credentials  ${second}\n${last}\n`;

test('the trace with the token, a refusal without it', async () => {
  const { code, stdout } = await access(await listening(tempo()));
  expect(stdout).toBe(withThe('HTTP 200, the trace', 'HTTP 401', 'access is controlled'));
  expect(code).toBe(0);
});

test('a Tempo that knows only the older route; a Jaeger of either API', async () => {
  const older = await listening(tempo(captured, `/api/traces/${captured}`));
  expect((await access(older)).code).toBe(0);
  const v3 = await listening((incoming, response) => {
    if (!isAuthorised(incoming)) response.writeHead(403).end();
    else if (incoming.url === `/api/v3/traces/${captured}`) json(response, { result: otlp(captured) });
    else response.writeHead(404).end();
  });
  expect((await access(v3, ['--trace-source', 'jaeger'])).code).toBe(0);
  const v1 = await listening((incoming, response) => {
    if (!isAuthorised(incoming)) response.writeHead(403).end();
    else if (incoming.url === `/api/traces/${captured}`) {
      const spans = [{ traceID: captured, spanID: 'b7ad6b7169203331', operationName: 'chat m', processID: 'p1' }];
      json(response, { data: [{ traceID: captured, spans, processes: { p1: { serviceName: 's' } } }] });
    } else response.writeHead(404).end();
  });
  expect((await access(v1, ['--trace-source', 'jaeger'])).code).toBe(0);
});

test.each([
  ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: '/login' }).end(), 'HTTP 302'],
  [
    'a page on which to sign in',
    (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Grafana</title>'),
    'HTTP 200, a page on which to sign in',
  ],
])('through the proxy of Grafana, which answers strangers with %s', async (_what, refuse, shown) => {
  const behind = new URL(await listening(tempo()));
  const prefix = '/api/datasources/proxy/uid/tempo-1';
  const grafana = await listening((incoming, response) => {
    if (!isAuthorised(incoming)) refuse(response);
    else {
      const { headers, url = '' } = incoming;
      request({ port: behind.port, path: url.replace(prefix, ''), headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }).end();
    }
  });
  const { code, stdout } = await access(grafana + prefix);
  expect(stdout).toBe(withThe('HTTP 200, the trace', shown, 'access is controlled'));
  expect(code).toBe(0);
});

test.each<[string, Handler, string, string, string]>([
  [
    'another trace',
    tempo(other),
    'HTTP 200, another trace',
    'HTTP 401',
    'the authorised request was answered without the captured trace',
  ],
  [
    'a refusal of both',
    (_incoming, response) => void response.writeHead(403).end(),
    'HTTP 403',
    'HTTP 403',
    'the authorised request was refused as well',
  ],
  [
    'the trace for everybody',
    (_incoming, response) => json(response, { trace: otlp(captured) }),
    'HTTP 200, the trace',
    'HTTP 200, the trace',
    'the anonymous request was answered',
  ],
  [
    'a 404 for strangers, which is no refusal',
    (incoming, response) =>
      isAuthorised(incoming) ? json(response, { trace: otlp(captured) }) : void response.writeHead(404).end(),
    'HTTP 200, the trace',
    'HTTP 404',
    'the anonymous request was answered',
  ],
  [
    'no trace at all',
    (incoming, response) => void response.writeHead(isAuthorised(incoming) ? 404 : 401).end(),
    'HTTP 404',
    'HTTP 401',
    'the authorised request was answered without the captured trace',
  ],
  [
    'a 200 that holds the id in its words only',
    (incoming, response) => {
      if (isAuthorised(incoming)) json(response, { message: `trace ${captured} is fine` });
      else response.writeHead(401).end();
    },
    'HTTP 200',
    'HTTP 401',
    'the authorised request was answered without the captured trace',
  ],
])('%s fails', async (_what, handler, first, second, fault) => {
  const { code, stdout } = await access(await listening(handler));
  expect(stdout).toBe(withThe(first, second, `not controlled: ${fault}`));
  expect(code).toBe(1);
});

test('secret headers go with the first request only, the tenant with both', async () => {
  const seen: unknown[] = [];
  const url = await listening((incoming, response) => {
    const { authorization, cookie, 'x-scope-orgid': tenant } = incoming.headers;
    seen.push([authorization ?? null, cookie ?? null, tenant ?? null]);
    response.writeHead(401).end();
  });
  await access(url, ['--tenant', 't-1', '--user', 'u'], { OTEL_EVAL_HEADERS: 'Cookie: session=1' });
  expect(seen).toEqual([
    [null, null, 't-1'],
    [`Basic ${Buffer.from(`u:${token}`).toString('base64')}`, 'session=1', 't-1'],
  ]);
});

test('a server that is down or overloaded proves nothing', async () => {
  const overloaded = await listening((_incoming, response) => void response.writeHead(503).end());
  const { code, stdout } = await access(overloaded);
  expect(stdout).toBe(withThe('HTTP 503', 'HTTP 503', 'not shown: no server answered one of the requests'));
  expect(code).toBe(3);
  const down = await access('http://127.0.0.1:9', ['--deadline', '300ms']);
  expect([down.code, down.stdout]).toEqual([
    3,
    withThe('no answer', 'no answer', 'not shown: no server answered one of the requests'),
  ]);
});

test('without credentials, or without a trace, there is nothing to prove', async () => {
  const bare = await runCli(['access', '--url', 'http://127.0.0.1:9', '--trace-id', captured]);
  expect([bare.code, bare.stdout]).toEqual([2, '']);
  expect(bare.stderr).toBe(
    'otel-eval: expected credentials for one of the two requests, got none; put a token into OTEL_EVAL_TOKEN, or secret headers into OTEL_EVAL_HEADERS\n',
  );
  const none = await runCli(['access', '--url', 'http://127.0.0.1:9'], { env: { OTEL_EVAL_TOKEN: token } });
  expect([none.code, none.stderr]).toEqual([
    2,
    'otel-eval: expected one trace, got 0; give the id of a trace that is surely there, as "otel-eval show" prints it\n',
  ]);
});

const line = (traceId: string) =>
  JSON.stringify(otlp(traceId)).replace('"startTimeUnixNano"', '"endTimeUnixNano":"2","startTimeUnixNano"');
const privacy = ['--assert', 'TracePrivacyModes'];
const accident = 'expected the trace with credentials, a refusal without them, observed the authorised request';

/** Writes what `access --json` says of a real server. */
async function proof(folder: string, handler: Handler): Promise<string> {
  const { stdout } = await access(await listening(handler), ['--json']);
  await writeFile(join(folder, 'access.json'), stdout);
  return 'access.json';
}

async function check(cwd: string, args: readonly string[], traceId = captured) {
  const given = ['check', ...args, '--input', '-', '--one-run', '--completeness', 'settled', '--json', '--quiet'];
  const { code, stdout, stderr } = await runCli(given, { cwd, stdin: line(traceId) });
  const trials = stdout === '' ? [] : JSON.parse(stdout).scenarios[0].trials;
  const { status, findings = [], missing = [] } = trials[0]?.assertions[0] ?? {};
  const messages = [...findings, ...missing].map(({ message }: { message: string }) => message);
  return { code, status, messages, stderr };
}

test('check takes what it found: proven, not proven, and about another run', async () => {
  await using folder = await temporaryFolder();
  const file = await proof(folder.path, tempo());
  expect(await check(folder.path, [...privacy, '--access', file])).toEqual({
    code: 0,
    status: 'passed',
    messages: [],
    stderr: '',
  });
  expect(await check(folder.path, [...privacy, '--access', file], other)).toMatchObject({
    code: 4,
    status: 'inconclusive',
    messages: ['no access was asked for with a trace of this run; otel-eval access --trace-id … --json asks'],
  });
  await proof(folder.path, tempo(other));
  expect(await check(folder.path, [...privacy, '--access', file])).toMatchObject({
    code: 1,
    status: 'failed',
    messages: [`${accident} was answered without the captured trace`],
  });
  await proof(folder.path, (_incoming, response) => void response.writeHead(503).end());
  expect(await check(folder.path, [...privacy, '--access', file])).toMatchObject({
    code: 4,
    messages: ['no server answered the requests that were to prove who has access'],
  });
});

test('a suite names the file, from where the suite stands', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'suites'));
  await proof(join(folder.path, 'suites'), (_incoming, response) => void response.writeHead(403).end());
  const suite = {
    schema: 'otel-eval/suite/v1',
    traces: { access: 'access.json' },
    scenarios: [{ name: 'private', assertions: ['TracePrivacyModes'] }],
  };
  await writeFile(join(folder.path, 'suites', 'suite.json'), JSON.stringify(suite));
  expect(await check(folder.path, ['suites/suite.json'])).toMatchObject({
    code: 1,
    status: 'failed',
    messages: [`${accident} was refused as well`],
  });
});

test('a file that is none, that is not there, and one that no assertion asks for', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'other.json'), '{"schema":"otel-eval/report/v1"}');
  expect(await check(folder.path, [...privacy, '--access', 'other.json'])).toMatchObject({
    code: 2,
    stderr:
      'otel-eval: expected what "otel-eval access --json" writes in other.json; write it with: otel-eval access --trace-id ID --url URL --json > access.json\n',
  });
  expect(await check(folder.path, [...privacy, '--access', 'none.json'])).toMatchObject({
    code: 2,
    stderr:
      'otel-eval: cannot read none.json: no such file; write it with: otel-eval access --trace-id ID --url URL --json > access.json\n',
  });
  const file = await proof(folder.path, tempo());
  expect(await check(folder.path, ['--assert', 'ExecutionTraceJoined', '--access', file])).toMatchObject({
    code: 2,
    stderr:
      'otel-eval: no scenario asks for TracePrivacyModes, so nothing looks at who has access; judge by it: --assert \'TracePrivacyModes={"mode":"content"}\', or in the suite\n',
  });
});

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'otel-eval-access-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
