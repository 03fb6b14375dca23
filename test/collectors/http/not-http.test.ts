import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { tempoCollector } from '../../../collectors/tempo.ts';
import { OtelEvalError } from '../../../src/trace/otel-eval-error.ts';
import { collected } from '../polling-run.ts';
import { VirtualClock } from '../virtual-clock.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** What is made of a server that answers with these bytes and then closes, or leaves the connection open. */
async function said(bytes: string | Uint8Array, { closes = true } = {}) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(bytes);
      if (closes) socket.end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new VirtualClock();
  const { dispatcher } = clock;
  const options = { url, clock, dispatcher, random: () => 0.5, traceIds: ['1'], deadlineMs: 5_000 };
  const { failure, traces } = await collected(tempoCollector(options));
  await clock.close();
  if (!OtelEvalError.is(failure)) return traces.map(({ completeness }) => completeness.state);
  return [failure.code, failure.message.replace(url, 'URL').replace(/after \d+ (try|tries)/, 'after N tries')];
}

const unavailable = (last: string) => [
  'OTEL_EVAL_UNAVAILABLE',
  `URL: no answer before the deadline, after N tries; last: ${last}`,
];

test.each([
  ['an SSH server', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['a TLS server', Uint8Array.of(0x15, 3, 1, 0, 2, 2, 22)],
  ['HTTP/2, as gRPC ports speak it', Uint8Array.of(0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 5, 0, 0, 64, 0)],
])('%s is the wrong server, at once', async (_, bytes) => {
  expect(await said(bytes)).toEqual(['OTEL_EVAL_WRONG_SERVER', 'URL: expected HTTP, got something else']);
});

test.each([
  ['a length below zero', 'content-length: -5'],
  ['a control character in a header', 'location: http://e/\x1b[31m'],
  ['a chunk without a size', 'transfer-encoding: chunked'],
])('%s is asked again until the deadline', async (_, header) => {
  expect(await said(`HTTP/1.1 200 OK\r\n${header}\r\n\r\nzz\r\n`)).toEqual(
    unavailable('its answer is not well-formed HTTP'),
  );
});

test('a length that is never reached ends with the connection, or with the deadline', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/protobuf\r\ncontent-length: 999999999999\r\n\r\nabc';
  expect(await said(head)).toEqual(unavailable('connection closed before the answer was whole'));
  expect(await said(head, { closes: false })).toEqual(unavailable('its answer did not come to an end'));
});

test('a header without end is cut off', async () => {
  const endless = `HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(1_000)}\r\n`.repeat(100)}`;
  expect(await said(endless)).toEqual(unavailable('the connection failed (UND_ERR_HEADERS_OVERFLOW)'));
});
