import { expect, test } from 'vitest';
import { jaegerCollector } from '../../collectors/jaeger.ts';
import { tempoCollector } from '../../collectors/tempo.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { type Against, tempoAgainst } from './polling-run.ts';
import { json, type Reply } from './replay-server.ts';
import { tempoAnswer } from './tempo-answer.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const secret = ['glsa', 'made', 'up', 'for', 'tests'].join('_');
const whole = () => tempoAnswer(new StampedProcess().run(id(1)).exported);
const proxy = '/api/datasources/proxy/uid/tempo';

async function said(reply: Reply, options: Parameters<typeof tempoAgainst>[1] = {}) {
  const result = await tempoAgainst(() => reply, { traceIds: [traceId], token: secret, ...options });
  expect(JSON.stringify(errorOf(result)) + String((result.failure as Error)?.stack)).not.toContain(secret);
  return errorOf(result);
}

function errorOf({ failure, server }: Against) {
  if (!OtelEvalError.is(failure)) return failure;
  return [failure.code, failure.message.replace(server.url, 'URL'), failure.hint];
}

const html = (body: string, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body,
});

const give = 'Give a token through --token-env NAME.';

test('Grafana in front: not signed in, no permission, unknown data source', async () => {
  const behind = { prefix: proxy };
  expect(await said(json({ message: 'Unauthorized', messageId: 'x', statusCode: 401 }, 401), behind)).toEqual([
    'OTEL_EVAL_AUTH',
    `URL${proxy}: it refuses our credentials, or wants some (HTTP 401)`,
    'Give a token through --token-env NAME, or --user NAME with it.',
  ]);
  expect(
    await said(
      json({ title: 'Access denied', message: "You'll need datasources:query", accessErrorId: 'A' }, 403),
      behind,
    ),
  ).toEqual([
    'OTEL_EVAL_AUTH',
    `URL${proxy}: access denied (HTTP 403): You'll need datasources:query`,
    'Check what the credential may read.',
  ]);
  const uid = 'Check the uid in --url: …/api/datasources/proxy/uid/UID.';
  expect(await said(json({ message: 'Unable to find datasource' }, 404), behind)).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    `URL${proxy}: the server in front says no (HTTP 404): Unable to find datasource`,
    uid,
  ]);
  expect(await said(json({ message: 'UID is invalid' }, 400), behind)).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    `URL${proxy}: the server in front says no (HTTP 400): UID is invalid`,
    uid,
  ]);
  expect(await said(json({ message: 'Authentication to data source failed' }, 400), behind)).toEqual([
    'OTEL_EVAL_AUTH',
    `URL${proxy}: Grafana accepts us, but what stands behind it refuses the credentials of the data source`,
    'Mend the data source in Grafana: its credentials or its tenant header.',
  ]);
});

test('Grafana in front: a 404 of what stands behind it is "not found", not an error', async () => {
  const result = await tempoAgainst(
    ({ path }) => ({ status: 404, body: path.includes('/v2/') ? '404 page not found' : '' }),
    {
      traceIds: [traceId],
      prefix: proxy,
      deadlineMs: 3_000,
    },
  );
  expect(result.failure).toBeUndefined();
  expect(result.traces.map(({ completeness }) => completeness.state)).toEqual(['not-found']);
  expect(result.server.requests[0]?.path).toBe(`${proxy}/api/v2/traces/${traceId}`);
});

test('a login page, by redirect and by page', async () => {
  const login = { status: 302, headers: { location: '/login?redirectTo=%2Fapi' } };
  expect(await said(login)).toEqual([
    'OTEL_EVAL_AUTH',
    'URL: it sends us to a login page',
    'Give a service account token through --token-env NAME.',
  ]);
  expect(await said({ ...login, headers: { location: 'https://grafana.example/grafana/login' } })).toEqual([
    'OTEL_EVAL_AUTH',
    'URL: it sends us to a login page',
    'Give a service account token through --token-env NAME.',
  ]);
  const page = ['OTEL_EVAL_AUTH', 'URL: it answers with a web page, as it does without a valid login', give];
  expect(await said(html('<html><title>Grafana</title></html>'))).toEqual(page);
  expect(await said(html('<html>welcome</html>'), { prefix: proxy })).toEqual([
    page[0],
    `URL${proxy}: it answers with a web page, as it does without a valid login`,
    give,
  ]);
});

test('not the server it should be', async () => {
  const check = 'Check --url: host, port and path prefix.';
  expect(await said(html('<html>my blog</html>'))).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    'URL: expected traces, got a web page (HTTP 200)',
    check,
  ]);
  expect(await said(html('<html>nginx</html>', 404))).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    'URL: expected traces, got a web page (HTTP 404)',
    check,
  ]);
  expect(await said({ status: 301, headers: { location: 'https://tempo.example/api?token=x' } })).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    'URL: expected an answer, got a redirect to https://tempo.example/api (HTTP 301)',
    'Redirects are not followed, since credentials would follow too: give the final --url.',
  ]);
  const tempoHint = 'Check --url: host, port and path prefix; /api/echo below it should answer "echo".';
  expect(await said({ headers: { 'content-type': 'text/plain' }, body: 'hello' })).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    'URL: expected Tempo, got content of type text/plain',
    tempoHint,
  ]);
  expect(await said(json({ ok: true }))).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    'URL: expected Tempo, got JSON without a trace',
    tempoHint,
  ]);
  expect(
    await said({ headers: { 'content-type': 'application/protobuf' }, body: Uint8Array.of(0x0a, 0xff, 0x01, 0x02) }),
  ).toEqual([
    'OTEL_EVAL_NOT_A_TRACE',
    'not OTLP/protobuf, or cut: a field claims 255 bytes, its message has 1 left (URL, byte 3)',
    undefined,
  ]);
  expect(await said({ status: 405 })).toEqual(['OTEL_EVAL_WRONG_SERVER', 'URL: it refuses (HTTP 405)', undefined]);
  expect(await said({ status: 403, body: 'nope', headers: { 'content-type': 'text/plain' } })).toEqual([
    'OTEL_EVAL_AUTH',
    'URL: access denied (HTTP 403): nope',
    'Check what the credential may read.',
  ]);
});

test('every code that may be gone a moment later is asked again', async () => {
  for (const status of [408, 425, 429, 499, 500, 502, 503, 504]) {
    const result = await tempoAgainst((_, count) => (count === 1 ? { status } : whole()), { traceIds: [traceId] });
    expect([status, result.server.requests.length, result.traces[0]?.completeness.state]).toEqual([
      status,
      2,
      'proven',
    ]);
  }
  // A gateway's page of apology is no login page.
  const gateway = await tempoAgainst((_, count) => (count === 1 ? html('<html>Grafana 502</html>', 502) : whole()), {
    traceIds: [traceId],
  });
  expect(gateway.traces[0]?.completeness.state).toBe('proven');
});

test('no other code is asked again', async () => {
  for (const status of [400, 401, 403, 405, 413]) {
    const result = await tempoAgainst(() => ({ status }), { traceIds: [traceId] });
    expect([status, result.server.requests.length, OtelEvalError.is(result.failure)]).toEqual([
      status,
      1,
      status !== 413,
    ]);
  }
});

test('nobody listens: unavailable, after the deadline', async () => {
  const gone = await tempoAgainst(() => whole(), { traceIds: [] });
  const result = await tempoAgainst(() => whole(), { traceIds: [traceId], url: gone.server.url, deadlineMs: 9_000 });
  const failure = result.failure as OtelEvalError;
  expect(failure.code).toBe('OTEL_EVAL_UNAVAILABLE');
  expect(failure.message).toMatch(/: no answer before the deadline, after \d+ tries; last: connection refused$/);
  expect(result.clock.nowMs()).toBeGreaterThan(4_000);
});

test('credentials, tenant and further headers go out, and only there', async () => {
  const asked = async (options: Parameters<typeof tempoAgainst>[1]) => {
    const { server, collection } = await tempoAgainst(() => whole(), { traceIds: [traceId], ...options });
    expect(collection.source.address).not.toContain(secret);
    return server.requests[0]?.headers;
  };
  expect(await asked({ token: secret })).toMatchObject({ authorization: `Bearer ${secret}` });
  expect(await asked({ token: secret, user: '12345' })).toMatchObject({
    authorization: `Basic ${Buffer.from(`12345:${secret}`).toString('base64')}`,
  });
  expect(await asked({ tenant: 'team-a', headers: { 'X-Grafana-Org-Id': '2' } })).toMatchObject({
    'x-scope-orgid': 'team-a',
    'x-grafana-org-id': '2',
  });
});

test('parameters of the address go with every request, and are not shown', async () => {
  const result = await tempoAgainst(() => whole(), { traceIds: [traceId], prefix: '/tempo/?orgId=2' });
  expect(result.server.requests[0]?.target).toBe(`/tempo/api/v2/traces/${traceId}?orgId=2&span_pruning=false`);
  expect(result.collection.source).toEqual({ kind: 'tempo', address: `${result.server.url}/tempo` });
});

test('what cannot be an address or a header is refused by name, without showing it', () => {
  const collect = (options: object) => () => tempoCollector({ url: 'http://127.0.0.1:1', ...options });
  expect(collect({ url: 'tempo:3200/x' })).toThrow(
    'expected an address like https://tempo.example:3200, got another text',
  );
  expect(collect({ url: `https://me:${secret}@tempo.example` })).toThrow(
    'the address holds a user or password, which do not belong there',
  );
  expect(collect({ token: `${secret}\n` })).toThrow(
    'the value for header authorization holds a character that none may hold',
  );
  expect(collect({ headers: { 'bad name': 'x' } })).toThrow('a header name holds a character that none may hold');
  expect(() => jaegerCollector({ url: 'ftp://x' })).toThrow(OtelEvalError);
});

test('a search that is none, and hits without an id', async () => {
  const searched = async (reply: Reply) => {
    const result = await tempoAgainst(() => reply, { service: 'x', deadlineMs: 1_000 });
    return errorOf(result);
  };
  const hint = 'Give trace ids with --trace-id where the server has no search.';
  for (const hit of [null, 5, {}, { traceID: null }, { traceID: 'zz' }, { traceID: '0' }]) {
    expect(await searched(json({ traces: [hit] }))).toEqual([
      'OTEL_EVAL_WRONG_SERVER',
      'URL: expected the search of Tempo, got a hit without a trace id',
      hint,
    ]);
  }
  expect(await searched(json({ traces: {} }))).toEqual([
    'OTEL_EVAL_WRONG_SERVER',
    'URL: expected the search of Tempo, got HTTP 200 of type application/json',
    hint,
  ]);
});

test('a trace that is none, and a 404 of somebody else', async () => {
  for (const [reply, got] of [
    [json({ trace: 'x' }), 'JSON without a trace'],
    [json({ trace: 5 }), 'JSON without a trace'],
    [json({ error: 'no such route' }, 404), 'HTTP 404 with JSON'],
  ] as const) {
    expect(await said(reply)).toEqual([
      'OTEL_EVAL_WRONG_SERVER',
      `URL: expected Tempo, got ${got}`,
      'Check --url: host, port and path prefix; /api/echo below it should answer "echo".',
    ]);
  }
});
