import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { commandTarget } from '../../../src/suite/target/command-target.ts';
import { OtelEvalError } from '../../../src/trace/otel-eval-error.ts';
import { call, spanId, ticket, traceId } from './ticket.ts';

const root = resolve(import.meta.dirname, '../../..');
const agent = join(root, 'fixtures/agents/rough/agent.mjs');

const target = (habit: string, options: Partial<Parameters<typeof commandTarget>[0]> = {}) =>
  commandTarget({
    command: [process.execPath, agent, habit],
    cwd: root,
    env: { PATH: process.env['PATH'] },
    ...options,
  });

async function thrown(work: Promise<unknown>): Promise<OtelEvalError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!OtelEvalError.is(error)) throw new Error(`expected an OtelEvalError, got ${String(error)}`);
  return error;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('one process a step', () => {
  test('the input goes in, the reply comes out, trimmed', async () => {
    const session = await target('echo').open(ticket());
    expect(await session.step(call('where is my order?'))).toBe('where is my order?');
    expect(await session.step(call({ order: 1 }))).toBe('{"order":1}');
  });

  test('it is told its trace context, run, conversation, and nothing of what is expected', async () => {
    const session = await target('environment').open(ticket());
    const env = JSON.parse(String(await session.step(call('x')))) as Record<string, string>;
    expect(env['TRACEPARENT']).toBe(`00-${traceId}-${spanId}-01`);
    expect([env['OTEL_EVAL_RUN_ID'], env['OTEL_EVAL_CONVERSATION_ID']]).toEqual(['run-1', 'main']);
  });

  test('the input may stand in an argument', async () => {
    const session = await commandTarget({
      command: [process.execPath, '-p', 'process.argv[1]', 'say {input}'],
      cwd: root,
      env: {},
    }).open(ticket());
    expect(await session.step(call('$& hello'))).toBe('say $& hello');
  });

  test('a command that fails is an error', async () => {
    const error = await thrown((await target('fail').open(ticket())).step(call('x')));
    expect([error.code, error.message]).toEqual(['OTEL_EVAL_COMMAND', 'node ended with exit code 7']);
  });

  test('a command that is not there is an error', async () => {
    const session = await commandTarget({ command: ['no-such-agent'], cwd: root, env: {} }).open(ticket());
    const error = await thrown(session.step(call('x')));
    expect([error.code, error.message]).toEqual([
      'OTEL_EVAL_COMMAND',
      'cannot start no-such-agent: no such command or working directory',
    ]);
  });

  test('a command that prints 1 GB is stopped, and memory stays bounded', async () => {
    const before = process.memoryUsage().rss;
    const session = await target('flood', { maxOutputBytes: 2 ** 22 }).open(ticket());
    const error = await thrown(session.step(call('x')));
    expect([error.code, error.message]).toEqual([
      'OTEL_EVAL_TOO_LARGE',
      'node printed more than 4194304 bytes; it was stopped',
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  });

  test('a child left running is an error, and is stopped', async () => {
    let pid = 0;
    const leaking = commandTarget({
      command: [process.execPath, agent, 'leak'],
      cwd: root,
      env: {},
    });
    const session = await leaking.open(ticket());
    const error = await thrown(
      session.step(call('x')).then((reply) => {
        pid = Number(reply);
      }),
    );
    expect([error.code, error.message]).toEqual([
      'OTEL_EVAL_COMMAND',
      'node left a process running after it had ended; it was stopped',
    ]);
    expect(pid).toBe(0);
  });

  test.skipIf(process.platform !== 'linux')(
    'a child that left the process group is found, stopped, and an error',
    async () => {
      const session = await target('daemon').open(ticket());
      expect(await session.step(call('x'))).toBe('answered');
      const error = await thrown(session.close?.() ?? Promise.resolve());
      expect(error.message).toBe('node left a process running after it had ended; it was stopped');
      await (await target('echo').open(ticket())).close?.();
    },
  );

  test.each(['hang', 'deaf'])('a command that would %s is ended with the trial', async (habit) => {
    const deadline = new AbortController();
    const folder = mkdtempSync(join(tmpdir(), 'otel-eval-command-'));
    const ready = join(folder, 'ready');
    const session = await target(habit, { env: { PATH: process.env['PATH'], READY_FILE: ready } }).open(ticket());
    const step = thrown(session.step(call('x', deadline.signal)));
    while (!existsSync(ready)) await sleep(10);
    deadline.abort();
    const error = await step;
    rmSync(folder, { recursive: true });
    expect(error.message).toBe(`node ended with signal ${habit === 'hang' ? 'SIGTERM' : 'SIGKILL'}`);
  });
});

describe('one process a trial', () => {
  test('line in, line out, then it ends by itself', async () => {
    const session = await target('lines', { per: 'trial' }).open(ticket());
    expect(await session.step(call('one'))).toEqual({ heard: 'one', conversation: 'main' });
    expect(await session.step(call('two'))).toEqual({ heard: 'two', conversation: 'main' });
    await session.drain?.(new AbortController().signal);
    await session.close?.();
  });

  test('ending before the answer is an error', async () => {
    const session = await target('one-line', { per: 'trial' }).open(ticket());
    expect(await session.step(call('one'))).toBe('first');
    const error = await thrown(session.step(call('two')));
    expect([error.code, error.message]).toEqual([
      'OTEL_EVAL_COMMAND',
      'node ended with exit code 0 before it answered the step',
    ]);
    await session.close?.();
  });

  test('1 GB without a line break is stopped', async () => {
    const session = await target('flood', { per: 'trial', maxOutputBytes: 2 ** 22 }).open(ticket());
    const error = await thrown(session.step(call('x')));
    expect(error.code).toBe('OTEL_EVAL_TOO_LARGE');
    await session.close?.();
  });

  test('a hanging one is ended by close', async () => {
    const session = await target('hang', { per: 'trial' }).open(ticket());
    const step = thrown(session.step(call('x')));
    await session.close?.();
    expect((await step).message).toBe('node ended with signal SIGTERM before it answered the step');
  });
});

test('nothing that the tests started is left', async () => {
  const { execFileSync } = await import('node:child_process');
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  const left = lines.filter((line) => line.includes(agent)).map((line) => Number.parseInt(line, 10));
  expect(left.filter(isAlive)).toEqual([]);
});
