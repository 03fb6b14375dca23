// What the rows about Tempo share: the server, the fetching alone, and a check of what it has.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent } from 'undici';
import { assertions } from '../dist/assertions/index.js';
import { tempoCollector } from '../dist/collectors/tempo.js';
import { judgeCollection } from '../dist/src/report/judge-collection.js';
import { parseSuite } from '../dist/src/suite/parse-suite.js';
import { buildTrace } from '../dist/src/trace/build-trace.js';
import { completenessOf } from '../dist/src/trace/completeness-of.js';
import { decodeOtlpProtobuf } from '../dist/src/trace/otlp-protobuf.js';
import { SharedStrings } from '../dist/src/trace/otlp-reading.js';
import { openTempoEnvelope } from '../dist/src/trace/tempo-protobuf.js';

const concurrency = 8;

export async function startServer(latencyMs) {
  const args = [join(import.meta.dirname, 'tempo-server.mjs'), String(latencyMs)];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  return { url, stop: () => server.stdin.end() };
}

export const traceIds = (count) =>
  Array.from({ length: count }, (_, i) => `f${(i + 1).toString(16).padStart(31, '0')}`);

const suiteDocument = {
  schema: 'otel-eval/suite/v1',
  scenarios: [
    {
      name: 'bench',
      assertions: [
        { ExecutionTraceJoined: {} },
        { ToolCalled: { match: { tool: 'issue_refund' }, expect: { atMost: 50 } } },
        { ToolSucceeded: { match: { tool: 'lookup_order' } } },
        { SpansMatch: { match: { name: 'chat gpt-5-mini' }, expect: { every: { status: { not: 'error' } } } } },
        { WithinBudget: { toolAttempts: { max: 100, source: 'bench' } } },
      ],
    },
  ],
};

const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
const { value: suite } = parseSuite(suiteDocument, registry, { name: 'bench' });

const options = {
  version: 'bench',
  now: () => 0,
  accepted: 'proven',
  oneRun: false,
  traceIds: [],
  digest: () => null,
  instrumented: ['@example/agent'],
  deterministic: true,
  rerun: () => null,
};

/** Everything `check` does with a server, but for writing the report. */
export async function check(url, ids) {
  const collector = tempoCollector({ url, traceIds: ids, early: true, concurrency, deadlineMs: 600_000 });
  const report = await judgeCollection(suite, await collector.collect(), options);
  await collector.close();
  return report;
}

/** The same bytes over as many connections, kept. */
export async function fetchAll(url, ids) {
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 });
  const bodies = [];
  const queue = ids.values();
  const worker = async () => {
    for (const id of queue) {
      const { body } = await dispatcher.request({
        origin: url,
        path: `/api/v2/traces/${id}?span_pruning=false`,
        method: 'GET',
        headers: { accept: 'application/protobuf' },
      });
      bodies.push(Buffer.from(await body.arrayBuffer()));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await dispatcher.close();
  return bodies;
}

/** Judges bodies that are in memory, trace by trace. */
export async function judgeBodies(bodies) {
  const shared = new SharedStrings();
  const facts = { remote: true, ended: true, quiet: true, cut: false, losses: [] };
  return judgeCollection(
    suite,
    {
      source: { kind: 'tempo', address: 'memory' },
      async *groups() {
        for (const body of bodies) {
          const { spans } = decodeOtlpProtobuf(openTempoEnvelope(body).trace, { shared });
          const trace = buildTrace(spans[0].traceId, spans);
          yield [{ trace, facts, completeness: completenessOf(trace, facts) }];
        }
      },
      inputs: () => [],
      looseLogs: () => [],
    },
    options,
  );
}

async function milliseconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Median of `work` / `floor`, taken in turns. */
export async function pairedRatio({ work, floor, rounds = 7, warmUp = 2 }) {
  const ratios = [];
  let floorMs = 0;
  for (let i = -warmUp; i < rounds; i += 1) {
    const first = await milliseconds(i % 2 ? work : floor);
    const second = await milliseconds(i % 2 ? floor : work);
    if (i < 0) continue;
    ratios.push(i % 2 ? first / second : second / first);
    floorMs += (i % 2 ? second : first) / rounds;
  }
  return { ratio: ratios.toSorted((a, b) => a - b)[rounds >> 1], floorMs };
}
