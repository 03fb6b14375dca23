import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, test } from 'vitest';
import { type OtlpReceiver, type OtlpReceiverOptions, otlpReceiverCollector } from '../../collectors/otlp-receiver.ts';
import { encodeOtlpLogsProtobuf, encodeOtlpProtobuf } from '../../src/trace/encode-otlp-protobuf.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import { leftBehindBy } from './left-behind-by.ts';
import { line, logLine, request, traceIdOf } from './otlp-lines.ts';
import { readAll } from './read-all.ts';

const open: OtlpReceiver[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function start(options: OtlpReceiverOptions = {}): Promise<OtlpReceiver> {
  const receiver = await otlpReceiverCollector({ port: 0, ...options });
  open.push(receiver);
  return receiver;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'receiver-test-'));
  folders.push(made);
  return made;
}

interface Sent {
  readonly status: number;
  readonly type: string | null;
  readonly body: Buffer;
  readonly headers: Headers;
}

const json = { 'content-type': 'application/json' };
const protobuf = { 'content-type': 'application/x-protobuf' };

async function send(
  receiver: OtlpReceiver,
  body: string | Uint8Array,
  { path = '/v1/traces', method = 'POST', headers = json as Record<string, string> } = {},
): Promise<Sent> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
  const response = await fetch(`${receiver.url}${path}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: bytes }),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: Buffer.from(await response.arrayBuffer()),
    headers: response.headers,
  };
}

async function tracesOf(receiver: OtlpReceiver): Promise<CollectedTrace[]> {
  const traces: CollectedTrace[] = [];
  for await (const group of (await receiver.collect()).groups()) traces.push(...group);
  return traces;
}

const a1 = line({ trace: 'a', span: 1 });
const a2 = line({ trace: 'a', span: 2, parent: 1 });
const asProtobuf = (text: string): Uint8Array => encodeOtlpProtobuf(decodeOtlpJson(text).spans);

describe('the answer', () => {
  test.each([
    ['JSON', a1, json, '{}'],
    ['JSON with a charset', a1, { 'content-type': 'application/json; charset=utf-8' }, '{}'],
    ['protobuf', asProtobuf(a1), protobuf, ''],
    ['gzip', gzipSync(a1), { ...json, 'content-encoding': 'gzip' }, '{}'],
    ['identity', a1, { ...json, 'content-encoding': 'identity' }, '{}'],
    ['an empty request', '{}', json, '{}'],
    ['an empty list', '{"resourceSpans":[]}', json, '{}'],
    ['an empty message', '', protobuf, ''],
  ])('to %s is 200, empty, in its type', async (_what, body, headers, answer) => {
    const sent = await send(await start(), body, { headers: headers as Record<string, string> });
    expect([sent.status, sent.type, sent.body.toString()]).toEqual([
      200,
      headers['content-type'].split(';')[0],
      answer,
    ]);
  });

  const badRow = JSON.stringify(request({ trace: 'a', span: 1 }, { trace: 'b', span: 1 })).replace(
    traceIdOf('b'),
    'b1b1',
  );
  const bad = 'expected 32 hex digits, or base64 of 16 bytes, got 4 hex digits';

  test('to a request with a row that has no readable id takes the others', async () => {
    const receiver = await start();
    const sent = await send(receiver, badRow);
    expect(sent.status).toBe(200);
    expect(JSON.parse(sent.body.toString())).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: `resourceSpans[0].scopeSpans[0].spans[1].traceId: ${bad}` },
    });
    expect(receiver.received()).toMatchObject({ requests: 1, spans: 1, rejected: 1 });
    const collection = await receiver.collect();
    expect(collection.inputs()[0]?.problems).toEqual([
      { code: 'bad-trace-id', message: bad, at: 'resourceSpans[0].scopeSpans[0].spans[1].traceId' },
    ]);
  });

  test('to the same in protobuf says so in protobuf', async () => {
    const message = Buffer.from(asProtobuf(badRow.replace('"b1b1"', `"${'b1'.repeat(16)}"`)));
    const at = message.indexOf(Buffer.from('b1'.repeat(16), 'hex'));
    message.fill(0, at, at + 16);
    const { status, type, body } = await send(await start(), message, { headers: protobuf });
    const text = 'resourceSpans[0].scopeSpans[0].spans[1].traceId: expected 32 hex digits, got none or zeros';
    expect([status, type]).toEqual([200, 'application/x-protobuf']);
    expect(body).toEqual(
      Buffer.concat([Buffer.from([0x0a, text.length + 4, 0x08, 1, 0x12, text.length]), Buffer.from(text)]),
    );
  });

  test.each([
    ['another path', 404, 5, { path: '/v1/trace' }, 'expected /v1/traces, /v1/logs or /v1/metrics'],
    ['a path of an object', 404, 5, { path: '/constructor' }, 'expected /v1/traces, /v1/logs or /v1/metrics'],
    ['another method', 405, 12, { method: 'GET' }, 'expected POST'],
    [
      'another type',
      415,
      3,
      { headers: { 'content-type': 'text/plain' } },
      'expected content-type application/json or application/x-protobuf',
    ],
    [
      'zstd',
      415,
      3,
      { headers: { ...json, 'content-encoding': 'zstd' } },
      'expected content-encoding gzip or identity, got another',
    ],
    [
      'a bad gzip',
      400,
      3,
      { headers: { ...json, 'content-encoding': 'gzip' } },
      'expected a gzip body, got one that is damaged or cut off',
    ],
  ])('to %s is %i', async (_what, status, code, how, message) => {
    const sent = await send(await start(), a1, how);
    expect([sent.status, sent.type]).toEqual([status, 'application/json']);
    expect(JSON.parse(sent.body.toString())).toEqual({ code, message });
    if (status === 405) expect(sent.headers.get('allow')).toBe('POST');
  });

  test('to what is no OTLP is 400 and tells nothing of it', async () => {
    const receiver = await start();
    for (const [body, headers] of [
      ['{"secret": please}', json],
      ['{"secret":1}', json],
      [Buffer.from('0a05ff', 'hex'), protobuf],
    ] as const) {
      const { status, type, body: answer } = await send(receiver, body, { headers });
      expect([status, type]).toEqual([400, headers['content-type']]);
      expect(answer.toString()).not.toContain('please');
      expect(answer.toString()).not.toContain('secret');
      // google.rpc.Status: code 3, and a message
      if (headers === json)
        expect(JSON.parse(answer.toString())).toEqual({ code: 3, message: expect.stringMatching(/^expected/) });
      else expect(answer.subarray(0, 3)).toEqual(Buffer.from([0x08, 3, 0x12]));
    }
    expect(receiver.received().requests).toBe(0);
  });

  test('to a body that is too large, packed or unpacked, is 413', async () => {
    const receiver = await start({ largestBodyBytes: 10_000 });
    const large = line({ trace: 'a', span: 1, padding: 20_000 });
    const message = { code: 8, message: 'the body is larger than 10000 bytes' };
    for (const sent of [
      await send(receiver, large),
      await send(receiver, gzipSync(large), { headers: { ...json, 'content-encoding': 'gzip' } }),
      await sendChunked(receiver, large),
    ]) {
      expect([sent.status, JSON.parse(sent.body.toString())]).toEqual([413, message]);
    }
    expect((await send(receiver, a1)).status).toBe(200);
    expect(receiver.received()).toMatchObject({ requests: 1, spans: 1 });
  });

  async function sendChunked(receiver: OtlpReceiver, text: string): Promise<{ status: number; body: Buffer }> {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 1_000) controller.enqueue(Buffer.from(text.slice(at, at + 1_000)));
        controller.close();
      },
    });
    const response = await fetch(`${receiver.url}/v1/traces`, {
      method: 'POST',
      headers: json,
      body,
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  }
});

describe('what came', () => {
  test('spans of both types and their logs are one trace; metrics are counted', async () => {
    const receiver = await start();
    await send(receiver, a1);
    await send(receiver, asProtobuf(a2), { headers: protobuf });
    await send(receiver, logLine('a', 1), { path: '/v1/logs' });
    const logs = encodeOtlpLogsProtobuf(decodeOtlpJson(logLine('a', 2)).logs);
    await send(receiver, logs, { path: '/v1/logs', headers: protobuf });
    await send(receiver, logLine(''), { path: '/v1/logs' });
    await send(receiver, '{"resourceMetrics":[]}', { path: '/v1/metrics' });
    await receiver.stop();
    const collection = await receiver.collect();
    const groups: (readonly CollectedTrace[])[] = [];
    for await (const group of collection.groups()) groups.push(group);
    const [collected] = groups.flat();
    expect(collected?.trace.spans.map((span) => span.name)).toEqual(['span 1', 'span 2']);
    expect(collected?.trace.logs.map((log) => log.spanId)).toEqual(['0000000000000001', '0000000000000002']);
    expect(collection.looseLogs().length).toBe(1);
    expect(collected?.facts).toEqual({ remote: true, ended: true, quiet: true, cut: false, losses: [] });
    expect(collection.source).toEqual({ kind: 'otlp', address: receiver.url });
    expect(collection.inputs()).toEqual([
      { input: receiver.url, format: 'otlp-http', rows: 2, spans: 2, problems: [] },
    ]);
    expect(receiver.received()).toEqual({ requests: 5, repeats: 0, spans: 2, logs: 3, metrics: 1, rejected: 0 });
  });

  test('nothing at all is said', async () => {
    const collection = await (await start()).collect();
    for await (const _ of collection.groups()) expect.unreachable();
    expect(collection.inputs()[0]?.problems).toEqual([
      { code: 'no-spans', message: 'expected spans, got no request', at: '' },
    ]);
  });

  test('a request sent again is acknowledged again and kept once', async () => {
    const receiver = await start();
    const sent = await Promise.all([send(receiver, a1), send(receiver, a1), send(receiver, a1)]);
    sent.push(await send(receiver, a1));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await tracesOf(receiver))[0]?.trace.rows).toBe(1);
    expect(receiver.received()).toMatchObject({ requests: 1, repeats: 3 });
  });

  test('is on the disk before it is acknowledged, behind what was there', async () => {
    const out = join(folder(), 'out.jsonl');
    writeFileSync(out, `${line({ trace: 'c', span: 1 })}\n{"cut`);
    const receiver = await start({ out });
    for (let i = 1; i <= 20; i += 1) {
      await send(receiver, line({ trace: 'a', span: i }));
      expect(readFileSync(out, 'utf8').split('\n').length).toBe(i + 3);
    }
    expect((await tracesOf(receiver)).map(({ trace }) => [trace.traceId[0], trace.rows])).toEqual([['a', 20]]);
    await receiver.close();
    const kept = readFileSync(out, 'utf8').split('\n');
    writeFileSync(out, kept.filter((text) => text !== '{"cut').join('\n'));
    const { traces, inputs } = await readAll({ inputs: [out] });
    expect(traces.map(({ trace }) => [trace.traceId[0], trace.rows])).toEqual([
      ['c', 1],
      ['a', 20],
    ]);
    expect(inputs[0]?.format).toBe('otlp-json-lines');
  });

  test('can be collected while more comes, and is not ended then', async () => {
    const receiver = await start();
    await send(receiver, a1);
    const [first] = await tracesOf(receiver);
    await send(receiver, a2);
    const [second] = await tracesOf(receiver);
    expect([first?.trace.rows, second?.trace.rows]).toEqual([1, 2]);
    expect(first?.facts).toMatchObject({ remote: true, ended: false, quiet: false });
    expect(first?.completeness.state).toBe('growing');
  });

  test('the temporary file leaves nothing behind', async () => {
    const left = await leftBehindBy(async () => {
      const receiver = await start();
      await send(receiver, a1);
      await receiver.close();
    });
    expect(left).toEqual([]);
  });

  test.each(['none', 'gzip'] as const)('of the exporter of the SDK, compression %s', async (compression) => {
    const receiver = await start();
    const exporter = new OTLPTraceExporter({ url: `${receiver.url}/v1/traces`, compression: compression as never });
    const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
    const span = provider.getTracer('t').startSpan('hello');
    span.setAttribute('n', 5).end();
    await provider.forceFlush();
    await provider.shutdown();
    const [collected] = await tracesOf(receiver);
    expect(collected?.trace.traceId).toBe(span.spanContext().traceId);
    expect(collected?.trace.spans[0]?.attributes.get('n')).toBe(5);
  });
});

describe('the server', () => {
  test('listens on loopback, on the port it says', async () => {
    const receiver = await start();
    expect(receiver.url).toBe(`http://127.0.0.1:${receiver.port}`);
    expect([receiver.host, receiver.port > 0]).toEqual(['127.0.0.1', true]);
  });

  test('says when the port is taken, and when the file cannot be written', async () => {
    const { port } = await start();
    await expect(otlpReceiverCollector({ port })).rejects.toMatchObject({
      code: 'OTEL_EVAL_IO',
      message: `cannot listen on 127.0.0.1:${port}: the port is taken`,
    });
    const out = join(folder(), 'no', 'such', 'folder.jsonl');
    await expect(otlpReceiverCollector({ port: 0, out })).rejects.toMatchObject({
      code: 'OTEL_EVAL_IO',
      message: `cannot write ${out}: no such file or folder`,
    });
  });

  test('stops and closes twice; a request that is under way is finished, the next one refused', async () => {
    const receiver = await start();
    const slow = connect(receiver.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => {
      let text = '';
      slow.on('data', (part) => {
        text += part;
      });
      slow.on('close', () => resolve(text));
    });
    const head = `POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${a1.length}\r\n\r\n`;
    await new Promise<void>((resolve) => {
      slow.write(head + a1.slice(0, 50), () => resolve());
    });
    await send(receiver, a2);
    const stopping = Promise.all([receiver.stop(), receiver.stop()]);
    slow.write(a1.slice(50));
    await stopping;
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await expect(send(receiver, a1)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect((await tracesOf(receiver))[0]?.trace.rows).toBe(2);
    await receiver.close();
    await receiver.close();
  });

  test('cuts off a request that never ends, and serves others meanwhile', async () => {
    const receiver = await start({ requestTimeoutMs: 3_000 });
    const hung = connect(receiver.port, '127.0.0.1');
    const closed = new Promise<void>((resolve) => hung.on('close', () => resolve()));
    hung.on('error', () => {});
    hung.on('data', () => {});
    hung.write(
      'POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
    );
    expect((await send(receiver, a1)).status).toBe(200);
    await closed;
    expect(receiver.received()).toMatchObject({ requests: 1 });
  });

  test('a connection that hangs does not hold up the end', async () => {
    const receiver = await start({ requestTimeoutMs: 3_000 });
    const hung = connect(receiver.port, '127.0.0.1');
    hung.on('error', () => {});
    await new Promise<void>((resolve) => {
      hung.write('POST /v1/tra', () => resolve());
    });
    await send(receiver, a1);
    await receiver.close();
    expect(receiver.received().spans).toBe(1);
  });

  test('answers 503 while too many bytes are under way, and takes them later', async () => {
    const receiver = await start({ largestBodyBytes: 1_000 });
    const body = line({ trace: 'a', span: 1 });
    const held = Array.from({ length: 5 }, () => {
      const socket = connect(receiver.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n${' '.repeat(790)}`,
      );
      return socket;
    });
    let sent = await send(receiver, body);
    for (let i = 0; i < 50 && sent.status === 200; i += 1) {
      await new Promise(setImmediate);
      sent = await send(receiver, line({ trace: 'a', span: i + 2, padding: 300 }));
    }
    expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '1']);
    for (const socket of held) socket.destroy();
    for (let i = 0; i < 100 && sent.status !== 200; i += 1) {
      await new Promise(setImmediate);
      sent = await send(receiver, body);
    }
    expect(sent.status).toBe(200);
  });
});
