import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { otlpReceiverCollector } from '../../collectors/otlp-receiver.ts';
import { assertTrace } from '../../src/testing/index.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import { collectTrace } from '../../src/vitest/index.ts';
import { ReplayServer } from '../collectors/replay-server.ts';
import { tempoAnswer } from '../collectors/tempo-answer.ts';
import { StampedProcess } from '../trace/stamped-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'otel-eval-collect-'));
const servers: ReplayServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'issue_refund' };
/** A run of a deployed agent with one refund. */
function deployed(stamps: boolean) {
  const top = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'support' };
  return new StampedProcess({ stamps })
    .start('b1'.repeat(8), { name: 'invoke_agent support', attributes: top, endMs: 9 })
    .run('b2'.repeat(8), {
      parent: 'b1'.repeat(8),
      name: 'execute_tool issue_refund',
      attributes: { ...tool, 'gen_ai.tool.call.result': '{"status":"refunded"}' },
    })
    .end('b1'.repeat(8)).exported;
}
const traceId = deployed(true)[0]?.traceId ?? '';
async function tempo(spans: ReturnType<typeof deployed>): Promise<string> {
  const server = await ReplayServer.start(({ path }) =>
    path.includes(traceId) ? tempoAnswer(spans) : { status: 404, body: 'trace not found' },
  );
  servers.push(server);
  return server.url;
}

describe('tempo', () => {
  test('a trace that receipts prove whole is judged at once', async () => {
    const asked = { source: 'tempo', url: await tempo(deployed(true)), traceId, deadlineMs: 60_000 } as const;
    const run = await collectTrace(asked);
    expect(run.traces.map(({ completeness }) => completeness.state)).toEqual(['proven']);
    expect(run).toBeJoined();
    expect(run).toHaveCalledTool('issue_refund');
    expect(() => expect(run).toHaveToolSucceeded('issue_refund')).toThrow('instrumented: ["test"]');
    assertTrace.spans(run, {}, { exactly: 2 });
    expect(await collectTrace({ ...asked, instrumented: ['test'] })).toHaveToolSucceeded('issue_refund');
  });

  test('a settled one decides a count only where that is accepted', async () => {
    const url = await tempo(deployed(false));
    const asked = { source: 'tempo', url, traceId, settleMs: 0, deadlineMs: 60_000 } as const;
    const run = await collectTrace(asked);
    expect(() => expect(run).toHaveSpans({}, { exactly: 2 })).toThrow('completeness: "settled" accepts it as it is');
    expect(await collectTrace({ ...asked, completeness: 'settled' })).toHaveSpans({}, { exactly: 2 });
  });

  test('a trace that is not there is inconclusive under both signs', async () => {
    const missing = 'f0'.repeat(16);
    const run = await collectTrace({ source: 'tempo', url: await tempo([]), traceId: missing, deadlineMs: 3_000 });
    expect(() => expect(run).toHaveCalledTool('issue_refund')).toThrow(`trace ${missing} was not found`);
    expect(() => expect(run).not.toHaveCalledTool('issue_refund')).toThrow(`trace ${missing} was not found`);
  });

  test('the address may come from the environment; without one it says so', async () => {
    process.env['OTEL_EVAL_URL'] = await tempo(deployed(true));
    expect(await collectTrace({ source: 'tempo', traceId })).toHaveSpans({}, { exactly: 2 });
    delete process.env['OTEL_EVAL_URL'];
    await expect(collectTrace({ source: 'tempo', traceId })).rejects.toMatchObject({
      code: 'OTEL_EVAL_USAGE',
      message: 'expected the address of tempo, got none; give url, or the variable OTEL_EVAL_URL',
    });
  });
});

test('jaeger: no access is an error, not a verdict', async () => {
  const server = await ReplayServer.start(() => ({ status: 401, body: '' }));
  servers.push(server);
  await expect(collectTrace({ source: 'jaeger', url: server.url, traceId })).rejects.toMatchObject({
    code: 'OTEL_EVAL_AUTH',
  });
});

describe('file', () => {
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  test('the run of a trace in it', async () => {
    const input = file('run.json', encodeOtlpJson(deployed(false)));
    const run = await collectTrace({ source: 'file', input, traceId: traceId.toUpperCase() });
    expect(run).toHaveSpans({}, { exactly: 2 });
    expect(() => expect(run).not.toHaveSpans({}, { exactly: 2 })).toThrow('file, 2 spans, settled');
  });
  test('one run is chosen, never guessed', async () => {
    const other = deployed(false).map((span) => ({ ...span, traceId: 'c0'.repeat(16) }));
    const input = file('two.json', encodeOtlpJson([...deployed(false), ...other]));
    await expect(collectTrace({ source: 'file', input })).rejects.toMatchObject({
      code: 'OTEL_EVAL_USAGE',
      message: 'expected one run, got 2; choose one by traceId, runId or agent, or say oneRun: true',
    });
    expect(await collectTrace({ source: 'file', input, oneRun: true })).toHaveSpans({}, { exactly: 4 });
    expect(await collectTrace({ source: 'file', input, traceId })).toHaveSpans({}, { exactly: 2 });
  });
  test('what is no trace is an error', async () => {
    const input = file('none.json', '{"a":1}');
    await expect(collectTrace({ source: 'file', input })).rejects.toMatchObject({ code: 'OTEL_EVAL_NOT_A_TRACE' });
  });
});

test('otlp: waits until the receiver has the trace whole', async () => {
  const receiver = await otlpReceiverCollector({ port: 0 });
  try {
    const [first, last] = deployed(true);
    const send = (span: typeof first) =>
      fetch(`${receiver.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: encodeOtlpJson(span === undefined ? [] : [span]),
      });
    await send(first);
    const collecting = collectTrace({ source: 'otlp', receiver, traceId });
    await send(last);
    const run = await collecting;
    expect(run.traces.map(({ completeness }) => completeness.state)).toEqual(['proven']);
    expect(run).toHaveSpans({}, { exactly: 2 });
    const none = await collectTrace({ source: 'otlp', receiver, traceId: 'f0'.repeat(16), deadlineMs: 100 });
    expect(() => expect(none).toHaveSpan({})).toThrow('no trace is at hand');
  } finally {
    await receiver.close();
  }
});
