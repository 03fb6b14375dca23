import { afterEach, describe, expect, test } from 'vitest';
import { type Behaviour, json, ReplayServer } from '../collectors/replay-server.ts';
import { tempoAnswer } from '../collectors/tempo-answer.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { type CliOptions, runCli } from './run-cli.ts';

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const spans = new StampedProcess().run(id(1)).exported;

async function cli(args: readonly string[], behaviour: Behaviour, options: CliOptions = {}) {
  server = await ReplayServer.start(behaviour);
  // Every look at the clock is a second later, so that each change is told.
  let ms = Date.UTC(2026, 10, 30, 12);
  const source = ['--trace-source', 'tempo', '--url', server.url, '--deadline', '60s'];
  const result = await runCli([...args, ...source], { now: () => (ms += 1_000), ...options });
  await server.stop();
  return result;
}

const line = (text: string) => `\r${text}\u001b[K`;
const gone = '\r\u001b[K';

describe('progress of a source that is a server', () => {
  const check = ['check', '--trace-id', '1', '--assert', 'SpansMatch={"match":{},"expect":{"atLeast":1}}'];
  const late: Behaviour = (_, count) =>
    tempoAnswer(count < 2 ? [] : spans.map((span) => ({ ...span, traceId: '1'.padStart(32, '0') })));

  test('is one line on a terminal, taken away at the end', async () => {
    const { code, stderr } = await cli(check, late, { terminal: true });
    const waiting = line('0 of 1 trace read, 1 waited for');
    expect([code, stderr]).toEqual([
      0,
      [
        line('0 of 1 trace read'),
        waiting,
        waiting,
        line('1 of 1 trace read'),
        gone,
        line('1 of 1 trace read, 1 run judged'),
        gone,
      ].join(''),
    ]);
  });

  test('is silent in a pipe and with --quiet', async () => {
    expect(await cli(check, late)).toMatchObject({ code: 0, stderr: '' });
    expect(await cli([...check, '--quiet'], late, { terminal: true })).toMatchObject({ code: 0, stderr: '' });
  });

  test('of show: gone before anything is printed; a search that finds nothing yet says so', async () => {
    let searches = 0;
    const slow: Behaviour = (request, count) => {
      if (request.path !== '/api/search') return late(request, count);
      searches += 1;
      return json({ traces: searches < 2 ? [] : [{ traceID: '1' }] });
    };
    const { code, stderr } = await cli(['show', '--service', 'agent', '--settle', '0s'], slow, { terminal: true });
    expect(code).toBe(0);
    expect(stderr.startsWith(line('no trace found yet'))).toBe(true);
    expect(stderr.endsWith(line('1 of 1 trace read') + gone)).toBe(true);
  });
});
