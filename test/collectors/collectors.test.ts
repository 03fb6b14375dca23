import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe } from 'vitest';
import { jaegerCollector } from '../../collectors/jaeger.ts';
import { memoryCollector } from '../../collectors/memory.ts';
import { otlpFileCollector } from '../../collectors/otlp-file.ts';
import { otlpReceiverCollector } from '../../collectors/otlp-receiver.ts';
import type { RemoteOptions } from '../../collectors/polling/remote-options.ts';
import { tempoCollector } from '../../collectors/tempo.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import { encodeOtlpProtobuf } from '../../src/trace/encode-otlp-protobuf.ts';
import type { Span } from '../../src/trace/span.ts';
import type { Collector } from '../../src/trace/trace-set.ts';
import { collectorContract } from './collector-contract.ts';
import { jaegerAgainst, tempoAgainst } from './polling-run.ts';
import { remoteContract } from './remote-contract.ts';
import { ReplayServer, type Reply, type ServedRequest } from './replay-server.ts';
import { sdkSpanOf } from './sdk-span-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'otel-eval-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const servers: ReplayServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** A server that gives by id what it holds. */
function remote(collector: (options: RemoteOptions) => Collector, answer: (rows: readonly Span[]) => Reply) {
  const held: Span[] = [];
  return {
    open: async (rows: readonly Span[]): Promise<Collector> => {
      held.splice(0, held.length, ...rows);
      const server = await ReplayServer.start(({ path }: ServedRequest) =>
        answer(held.filter(({ traceId }) => path.endsWith(traceId))),
      );
      servers.push(server);
      // What is missing is waited for until the deadline; many traces take their time on a busy machine.
      const deadlineMs = rows.length > 50 ? 20_000 : 2_000;
      const traceIds = [...new Set(rows.map(({ traceId }) => traceId))];
      const wanted = traceIds.length > 0 ? traceIds : ['1'];
      return collector({ url: server.url, traceIds: wanted, settleMs: 0, deadlineMs });
    },
    add: async (rows: readonly Span[]) => {
      held.push(...rows);
    },
  };
}

function tempoReply(rows: readonly Span[]): Reply {
  const trace = Buffer.from(encodeOtlpProtobuf(rows));
  const length = Buffer.from([(trace.length & 127) | 128, (trace.length >> 7) & 127]);
  const body = Buffer.concat([Buffer.from([0x0a]), length, trace, Buffer.from([0x12, 0])]);
  return { headers: { 'content-type': 'application/protobuf' }, body };
}

function jaegerReply(rows: readonly Span[]): Reply {
  return rows.length === 0
    ? { status: 404, body: '{"error":{"httpCode":404,"message":"No traces found"}}' }
    : { headers: { 'content-type': 'text/plain' }, body: `{"result":${encodeOtlpJson(rows)}}` };
}

/** Spans that go to the exporter of a memory. */
function memory() {
  let opened = memoryCollector();
  const add = async (rows: readonly Span[]) => opened.exporter.export(rows.map(sdkSpanOf), () => {});
  return {
    add,
    open: async (rows: readonly Span[]) => {
      opened = memoryCollector();
      await add(rows);
      return opened;
    },
  };
}

/** Lines of a file. */
function file() {
  const path = join(folder, 'traces.jsonl');
  return {
    add: async (rows: readonly Span[]) => appendFileSync(path, `${encodeOtlpJson(rows)}\n`),
    open: async (rows: readonly Span[]) => {
      writeFileSync(path, `${encodeOtlpJson(rows)}\n`);
      return otlpFileCollector({ inputs: [path] });
    },
  };
}

/** Requests to a receiver. */
function receiver() {
  let url = '';
  const add = async (rows: readonly Span[]) => {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: encodeOtlpJson(rows) });
  };
  return {
    add,
    open: async (rows: readonly Span[]) => {
      const opened = await otlpReceiverCollector({ port: 0 });
      url = opened.url;
      await add(rows);
      return opened;
    },
  };
}

describe('the contract of collectors', () => {
  collectorContract({ name: 'memory', ...memory() });
  collectorContract({ name: 'file', ...file() });
  collectorContract({ name: 'receiver', ...receiver() });
  collectorContract({ name: 'tempo', ...remote(tempoCollector, tempoReply) });
  collectorContract({ name: 'jaeger', ...remote(jaegerCollector, jaegerReply) });
});

describe('the contract of collectors that ask a server', () => {
  remoteContract({ name: 'tempo', against: tempoAgainst, reply: tempoReply });
  remoteContract({ name: 'jaeger', against: jaegerAgainst, reply: jaegerReply });
});
