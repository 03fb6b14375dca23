import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);

// An agent that sends its spans where the environment says, below the parent that it was given.
const agent = `
import { writeFileSync } from 'node:fs';
const [, traceId, parentSpanId] = process.env.TRACEPARENT.split('-');
const [code = '0', mode = ''] = process.argv.slice(2);
const now = BigInt(Date.now()) * 1000000n;
const attributes = (map) => Object.entries(map).map(([key, value]) => ({ key, value: { stringValue: value } }));
const span = (spanId, parent, name) => ({
  traceId, spanId, parentSpanId: parent, name, kind: 1, status: {},
  startTimeUnixNano: String(now), endTimeUnixNano: String(now + 1000n), attributes: attributes({}),
});
const roots = mode === 'two roots';
const spans = [
  span('a'.repeat(16), roots ? undefined : parentSpanId, 'run'),
  span('b'.repeat(16), roots ? undefined : 'a'.repeat(16), 'step'),
];
const body = JSON.stringify({ resourceSpans: [{ resource: { attributes: attributes({ 'service.name': 'live' }) }, scopeSpans: [{ spans }] }] });
if (mode !== 'silent') {
  const answer = await fetch(process.env.OTEL_EXPORTER_OTLP_ENDPOINT + '/v1/traces', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body,
  });
  if (answer.status !== 200) process.exit(99);
}
console.log('said on stdout');
if (mode === 'hang') writeFileSync('hanging', '');
if (mode === 'hang') await new Promise(() => setInterval(() => {}, 1000));
process.exit(Number(code));
`;
beforeAll(() => writeFileSync(scratch.file('agent.mjs'), agent));

const live = (flags: string[], child: string[]) =>
  runCli(
    [
      'check',
      '--assert',
      'ExecutionTraceJoined',
      '--settle',
      '200ms',
      '--json',
      ...flags,
      '--',
      process.execPath,
      'agent.mjs',
      ...child,
    ],
    {
      cwd: scratch.path,
      env: { PATH: process.env['PATH'] ?? '', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1' },
    },
  );

describe('check -- COMMAND', () => {
  test('runs it, takes its spans, and judges them; its parent is one that we gave', async () => {
    const { code, stdout, stderr } = await live([], []);
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      status: 'passed',
      childExitCode: 0,
      source: { kind: 'otlp', fetched: { spans: 2 } },
    });
    expect(report.scenarios[0].trials[0].assertions[0].examined).toBe(2);
    // What the command prints is no part of the report.
    expect(stderr).toBe('said on stdout\n');
  });

  test('a command that fails is an error, with its code in the report', async () => {
    const { code, stdout, stderr } = await live([], ['3']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'error',
      exitCode: 2,
      childExitCode: 3,
      error: { code: 'OTEL_EVAL_COMMAND', message: 'node ended with exit code 3, expected exit code 0' },
      scenarios: [{ status: 'passed' }],
    });
    expect(stderr).toContain('otel-eval: node ended with exit code 3, expected exit code 0\n');
  });

  test('a failed assertion wins over a failed command', async () => {
    const { code, stdout } = await live([], ['3', 'two roots']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      childExitCode: 3,
      error: { code: 'OTEL_EVAL_COMMAND' },
    });
  });

  test('the code that is expected is a success, and 0 then is none', async () => {
    expect((await live(['--expect-exit', '3'], ['3'])).code).toBe(0);
    expect((await live(['--expect-exit', '3'], ['0'])).code).toBe(2);
  });

  test('a command that sends nothing is inconclusive', async () => {
    const { code, stdout } = await live([], ['0', 'silent']);
    expect(code).toBe(4);
    expect(JSON.parse(stdout).source.problems.first).toMatchObject([{ code: 'no-spans' }]);
  });

  test('a command that does not end by the deadline is ended; what it sent is judged', async () => {
    const { code, stdout } = await live(['--deadline', '8s'], ['0', 'hang']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      childExitCode: null,
      error: { message: 'node did not end within 8000 ms and was ended' },
      scenarios: [{ status: 'passed' }],
    });
  });

  test('a command that is not there is an error', async () => {
    const args = ['check', '--assert', 'ExecutionTraceJoined', '--', 'no-such-command'];
    const { code, stderr } = await runCli(args, { cwd: scratch.path, env: { PATH: '/nowhere' } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'otel-eval: cannot start no-such-command: no such command or working directory\n',
    });
  });

  test('an interrupt ends the command too', async () => {
    const hanging = scratch.file('hanging');
    rmSync(hanging, { force: true });
    const args = ['check', '--assert', 'ExecutionTraceJoined', '--', process.execPath, 'agent.mjs', '0', 'hang'];
    const { code, stderr } = await runCli(args, {
      cwd: scratch.path,
      env: { PATH: process.env['PATH'] ?? '' },
      stop: async () => {
        while (!existsSync(hanging)) await sleep(20);
      },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('otel-eval: interrupted; node was ended\n');
  });

  test('flags that would be passed over are refused', async () => {
    const input = await live(['--input', 'x'], []);
    expect([input.code, input.stderr]).toEqual([
      2,
      'otel-eval: --input does not go with a command behind "--"; the spans that the command sends are judged; leave one of the two out\n',
    ]);
    const args = ['check', '--input', 'x', '--assert', 'ExecutionTraceJoined', '--expect-exit', '3'];
    const exit = await runCli(args, { cwd: scratch.path });
    expect([exit.code, exit.stderr]).toEqual([
      2,
      'otel-eval: --expect-exit goes with a command behind "--", got none\n',
    ]);
  });

  test('needs source otlp, and source otlp needs it', async () => {
    const file = await runCli(
      ['check', '--input', 'x', '--trace-source', 'file', '--assert', 'ToolOrder', '--', 'true'],
      {},
    );
    expect(file.code).toBe(2);
    const none = await runCli(['show', '--trace-source', 'otlp'], {});
    expect({ code: none.code, stderr: none.stderr }).toEqual({
      code: 2,
      stderr:
        'otel-eval: expected a command for source otlp, got none; as in --trace-source otlp -- npm run agent; "otel-eval receive" keeps spans for later\n',
    });
  });

  test('show prints what a command did', async () => {
    const { code, stdout } = await runCli(
      ['show', '--as', 'tree', '--deterministic', '--settle', '100ms', '--', process.execPath, 'agent.mjs'],
      { cwd: scratch.path, env: { PATH: process.env['PATH'] ?? '' } },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('\n  └─ step\n');
  });
});
