import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../../src/report/report.ts';
import { runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';

let folder: string;
let server: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-http-'));
});
afterEach(async () => {
  const exit = server === undefined ? undefined : once(server, 'exit');
  server?.kill();
  await exit;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts the agent, which sends to a receiver that is not there yet: the run opens it. */
async function startServer(receiverPort: number, ...args: string[]): Promise<string> {
  server = spawn(process.execPath, [join(root, 'fixtures/agents/order-support/server.mjs'), ...args], {
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiverPort}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return line.toString().trim();
}

async function run(address: string, port: number, deadline = '60s'): Promise<{ code: number; report: Report }> {
  const path = join(folder, 'suite.yaml');
  writeFileSync(
    path,
    `schema: otel-eval/suite/v1
target: { url: ${address}/chat, drain: { url: ${address}/drain } }
traces: { completeness: settled, settle: 300ms, deadline: ${deadline} }
model: scripted
trials: 6
scenarios:
  - name: refunds a paid order once
    steps: [Please refund my order ORD-1001.]
    assertions:
      - ToolCalled: { match: { tool: issue_refund }, expect: { atMost: 1 } }
      - SpansMatch: { match: { name: execute_tool issue_refund }, expect: { exactly: 1 } }
`,
  );
  const args = ['run', path, '--listen', `127.0.0.1:${port}`, '--concurrency', '3', '--json', '--deterministic'];
  const { code, stdout, stderr } = await runCli(args);
  if (stdout === '') throw new Error(stderr);
  return { code, report: JSON.parse(stdout) as Report };
}

const outcomes = ({ scenarios }: Report): string[] =>
  scenarios.flatMap(({ trials }) =>
    trials.flatMap(({ assertions }) =>
      assertions.filter(({ name }) => name === 'SpansMatch').map(({ status }) => status),
    ),
  );

test('trials of a server that runs on are told apart by trace context alone', async () => {
  const port = await freePort();
  const { report } = await run(await startServer(port), port);
  const trials = report.scenarios.flatMap((scenario) => scenario.trials);
  expect(outcomes(report)).toEqual(Array(6).fill('passed'));
  expect(new Set(trials.flatMap(({ traceIds }) => traceIds)).size).toBe(6);
  expect([report.source.kind, trials.map(({ traceIds }) => traceIds.length)]).toEqual(['otlp', Array(6).fill(1)]);
});

test('a fault in the server is found in every trial', async () => {
  const port = await freePort();
  const { code, report } = await run(await startServer(port, '--fault', 'refund-times-out'), port);
  expect([code, outcomes(report)]).toEqual([1, Array(6).fill('failed')]);
});

test('a server that does not heed the trace context proves nothing', async () => {
  const port = await freePort();
  const { code, report } = await run(await startServer(port, '--deaf'), port, '500ms');
  const trials = report.scenarios.flatMap((scenario) => scenario.trials);
  const traced = trials.flatMap(({ assertions }) => assertions.filter(({ name }) => name === 'TrialTraced'));
  expect([code, traced.map(({ status }) => status)]).toEqual([4, Array(6).fill('inconclusive')]);
});
