import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe } from 'vitest';
import { jaegerCollector } from '../../collectors/jaeger.ts';
import { memoryCollector } from '../../collectors/memory.ts';
import { otlpFileCollector } from '../../collectors/otlp-file.ts';
import { otlpReceiverCollector } from '../../collectors/otlp-receiver.ts';
import { tempoCollector } from '../../collectors/tempo.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import { encodeOtlpProtobuf } from '../../src/trace/encode-otlp-protobuf.ts';
import type { Span } from '../../src/trace/span.ts';
import { collectorContract } from './collector-contract.ts';
import { ReplayServer, type Reply, type ServedRequest } from './replay-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'otel-eval-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const servers: ReplayServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** A server that gives rows by id. */
async function serving(answer: (rows: readonly Span[]) => Reply, rows: readonly Span[]) {
  const server = await ReplayServer.start(({ path }: ServedRequest) =>
    answer(rows.filter(({ traceId }) => path.endsWith(traceId))),
  );
  servers.push(server);
  // What is missing is waited for until the deadline; many traces take their time on a busy machine.
  const deadlineMs = rows.length > 50 ? 20_000 : 600;
  const traceIds = [...new Set(rows.map(({ traceId }) => traceId))];
  return { url: server.url, traceIds: traceIds.length > 0 ? traceIds : ['1'], settleMs: 0, deadlineMs };
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

const hrTime = (nanoseconds: bigint): [number, number] => [
  Number(nanoseconds / 1_000_000_000n),
  Number(nanoseconds % 1_000_000_000n),
];

function sdkSpan(span: Span) {
  const contextOf = (spanId: string) => ({ traceId: span.traceId, spanId, traceFlags: 1 });
  return {
    name: span.name,
    kind: 0,
    spanContext: () => contextOf(span.spanId),
    parentSpanContext: span.parentSpanId === undefined ? undefined : contextOf(span.parentSpanId),
    startTime: hrTime(span.startUnixNano),
    endTime: hrTime(span.endUnixNano ?? 0n),
    ended: true,
    status: { code: 0 },
    attributes: Object.fromEntries(span.attributes),
    links: [],
    events: [],
    resource: { attributes: Object.fromEntries(span.resource.attributes) },
    instrumentationScope: { name: span.scope.name },
  };
}

describe('the contract of collectors', () => {
  collectorContract({
    name: 'memory',
    open: async (rows) => {
      const memory = memoryCollector();
      memory.exporter.export(rows.map(sdkSpan), () => {});
      return memory;
    },
  });
  collectorContract({
    name: 'file',
    open: async (rows) => {
      const path = join(folder, 'traces.json');
      writeFileSync(path, encodeOtlpJson(rows));
      return otlpFileCollector({ inputs: [path] });
    },
  });
  collectorContract({
    name: 'receiver',
    open: async (rows) => {
      const receiver = await otlpReceiverCollector({ port: 0 });
      const body = encodeOtlpJson(rows);
      await fetch(`${receiver.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await receiver.stop();
      return receiver;
    },
  });
  collectorContract({ name: 'tempo', open: async (rows) => tempoCollector(await serving(tempoReply, rows)) });
  collectorContract({ name: 'jaeger', open: async (rows) => jaegerCollector(await serving(jaegerReply, rows)) });
});
