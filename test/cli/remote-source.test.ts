import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Behaviour, json, ReplayServer, recorded, replayOf } from '../collectors/replay-server.ts';
import { tempoAnswer } from '../collectors/tempo-answer.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const folder = scratchFolder();
afterAll(folder.remove);

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const traceId = '0af7651916cd43dd8448eb211c80319c';

/** `check` against a server that behaves so. */
async function check(behaviour: Behaviour, args: readonly string[], env: Record<string, string> = {}) {
  server = await ReplayServer.start(behaviour);
  const kind = args.includes('jaeger') ? [] : ['--trace-source', 'tempo'];
  const result = await runCli(['check', ...kind, '--url', server.url, '--deadline', '60s', '--settle', '0s', ...args], {
    env,
  });
  const { url } = server;
  return { ...result, stdout: result.stdout.replaceAll(url, 'URL'), stderr: result.stderr.replaceAll(url, 'URL') };
}

const refund = (name: string) => ({
  name,
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'refund' },
});

function refunds(count: number, stamps = true) {
  const agent = new StampedProcess({ stamps });
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'a' };
  agent.start(id(1), { name: 'invoke_agent a', attributes });
  for (let i = 1; i <= count; i++) agent.run(id(i + 1), { parent: id(1), ...refund('execute_tool refund') });
  return agent.end(id(1)).exported;
}

const joined = ['--assert', 'ExecutionTraceJoined'];
const never = ['--assert', 'ToolCalled={"match":{"tool":"refund"},"expect":{"atMost":0}}'];
const one = ['--trace-id', traceId];

describe('exit codes', () => {
  test('0: proven, and joined', async () => {
    const { code, stdout } = await check(() => tempoAnswer(refunds(1)), [...one, ...joined]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('passed')]);
  });

  test('1: something failed, and a forbidden call needs no whole trace', async () => {
    const { code } = await check(() => tempoAnswer(refunds(2).slice(0, 1)), [...one, ...never, '--deadline', '3s']);
    expect(code).toBe(1);
  });

  test('2: no access, wrong server, malformed id, bad query, no address', async () => {
    const cases: [Behaviour, string[]][] = [
      [() => ({ status: 401 }), one],
      [() => ({ status: 403 }), one],
      [() => ({ status: 302, headers: { location: '/login' } }), one],
      [() => ({ status: 401, body: 'no org id' }), one],
      [() => ({ headers: { 'content-type': 'text/html' }, body: '<html></html>' }), one],
      [() => ({ status: 404, body: '404 page not found' }), one],
      [() => json({}), ['--trace-id', 'not-an-id']],
      [() => ({ status: 400, body: 'invalid TraceQL query' }), ['--query', '{']],
      [() => json({}), ['--since', 'yesterday']],
      [() => json({}), ['--header', 'Authorization: x', ...one]],
      [() => json({}), ['--token-env', 'NOT_SET', ...one]],
    ];
    for (const [behaviour, args] of cases) {
      const { code, stderr } = await check(behaviour, [...args, ...joined]);
      expect([args, code, stderr.startsWith('otel-eval: ')]).toEqual([args, 2, true]);
      await server?.stop();
    }
    const without = await runCli(['check', '--trace-source', 'tempo', ...one, ...joined]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('expected the address of the server')]);
    const traceQl = await check(() => json({}), ['--trace-source', 'jaeger', '--query', '{}', ...joined]);
    expect([traceQl.code, traceQl.stderr]).toEqual([2, expect.stringContaining('Jaeger does not know TraceQL')]);
  });

  test('3: refused, 5xx, 429 and silence until the deadline', async () => {
    for (const behaviour of [
      () => 'refuse',
      () => ({ status: 503 }),
      () => ({ status: 429 }),
      () => 'hang',
    ] as Behaviour[]) {
      const { code, stderr } = await check(behaviour, [...one, ...joined, '--deadline', '500ms']);
      expect([code, stderr]).toEqual([3, expect.stringContaining('before the deadline')]);
      await server?.stop();
    }
  });

  test('3, and 1 where what came before is enough to fail', async () => {
    const other = 'f'.repeat(32);
    const dying: Behaviour = ({ path }) => (path.endsWith(other) ? { status: 503 } : tempoAnswer(refunds(1)));
    const both = [...one, '--trace-id', other, '--deadline', '3s'];
    const passing = await check(dying, [...both, ...joined, '--json']);
    expect([passing.code, JSON.parse(passing.stdout)['status']]).toEqual([3, 'unavailable']);
    await server?.stop();
    const failing = await check(dying, [...both, ...never, '--json']);
    expect([failing.code, JSON.parse(failing.stdout)['error'].code]).toEqual([1, 'OTEL_EVAL_UNAVAILABLE']);
  });

  test('4: not found; nothing found', async () => {
    const missing = await check(() => tempoAnswer([]), [...one, ...joined, '--deadline', '3s']);
    expect(missing.code).toBe(4);
    await server?.stop();
    const nothing = await check(() => json({ traces: [] }), ['--service', 'x', ...joined, '--deadline', '3s']);
    expect([nothing.code, nothing.stdout]).toEqual([4, expect.stringContaining('expected at least one run')]);
  });

  test('4: absence on a trace without receipts, unless settled is accepted', async () => {
    const spans = refunds(0, false);
    const strict = await check(() => tempoAnswer(spans), [...one, ...never]);
    expect(strict.code).toBe(4);
  });
});

test('called at most once, without receipts: passes where the scope is vouched for and settled is accepted, and says so', async () => {
  const once = ['--assert', 'ToolCalled={"match":{"tool":"refund"},"expect":{"atMost":1}}'];
  const vouched = ['--instrumented', 'test'];
  const accepted = ['--completeness', 'settled'];
  for (const [args, exit] of [
    [[], 4],
    [vouched, 4],
    [accepted, 4],
    [[...vouched, ...accepted], 0],
  ] as const) {
    const { code, stdout } = await check(() => tempoAnswer(refunds(1, false)), [...one, ...once, ...args]);
    expect([args, code]).toEqual([args, exit]);
    if (exit === 0) {
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        'decided on a settled trace from tempo, as --completeness settled accepts; no receipt proves it whole',
      );
      expect(stdout).toContain('the user vouches that "test" makes a span');
    }
    await server?.stop();
  }
  expect((await check(() => tempoAnswer(refunds(2, false)), [...one, ...once])).code).toBe(1);
});

test('a run in two traces is judged as one, also when the first was judged early', async () => {
  const traceOf = (number: number) =>
    new StampedProcess({ processor: `0000000${number}` })
      .run(id(number), {
        name: 'execute_tool refund',
        attributes: { ...refund('').attributes, 'otel_eval.run.id': 'r-1' },
      })
      .exported.map((span) => ({ ...span, traceId: String(number).repeat(32) }));
  const { code, stdout } = await check(
    ({ path }) => tempoAnswer(traceOf(Number(path.at(-1)))),
    ['--trace-id', '1'.repeat(32), '--trace-id', '2'.repeat(32), ...joined, '--json'],
  );
  const report = JSON.parse(stdout);
  const [scenario] = report.scenarios;
  expect(code).toBe(1);
  expect(scenario.trials.length).toBe(1);
  expect(scenario.trials[0].traceIds).toEqual(['1'.repeat(32), '2'.repeat(32)]);
  expect(report.source.fetched).toEqual({ traces: 2, spans: 2 });
});

test('secrets come from the environment and appear nowhere', async () => {
  const secret = ['made', 'up', 'for', 'this'].join('-');
  const env = {
    OTEL_EVAL_TOKEN: `${secret}\n`,
    OTEL_EVAL_HEADERS: `X-Key: ${secret}2\nX-Other: 3`,
    OTEL_EVAL_TENANT: 'team',
  };
  const { stdout, stderr } = await check(() => tempoAnswer(refunds(1)), [...one, ...joined, '--json'], env);
  expect(stdout + stderr).not.toContain(secret);
  expect(server?.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${secret}`,
    'x-key': `${secret}2`,
    'x-other': '3',
    'x-scope-orgid': 'team',
  });
});

test('--shard takes every n-th scenario', async () => {
  const suite = folder.file('suite.yaml');
  const scenarios = ['a', 'b', 'c'].map((name) => `  - { name: ${name}, assertions: [ExecutionTraceJoined] }`);
  writeFileSync(suite, ['schema: otel-eval/suite/v1', 'scenarios:', ...scenarios, ''].join('\n'));
  const names = async (shard: string) => {
    const { stdout } = await check(() => tempoAnswer(refunds(1)), [suite, ...one, '--shard', shard, '--json']);
    await server?.stop();
    return JSON.parse(stdout).scenarios.map(({ name }: { name: string }) => name);
  };
  expect([await names('1/2'), await names('2/2')]).toEqual([['a', 'c'], ['b']]);
  const tooMany = await check(() => tempoAnswer(refunds(1)), [suite, ...one, '--shard', '4/4']);
  expect([tooMany.code, tooMany.stderr]).toEqual([
    2,
    expect.stringContaining('shard 4/4 holds no scenario: the suite has 3'),
  ]);
});

describe.skipIf(sharedCases === undefined)(
  sharedCases === undefined ? `what real servers answered (${withoutSharedCases})` : 'what real servers answered',
  () => {
    const wire = join(sharedCases ?? '', 'wire');
    const big = ['--trace-id', 'be8efff798038103d269b633813fc613'];
    const atMostOnce = ['--assert', 'SpansMatch={"match":{"name":"invoke_agent big"},"expect":{"exactly":1}}'];

    test('twenty of sixty spans behind a 200: absence is inconclusive, and passes only where settled is accepted', async () => {
      const replay = replayOf(join(wire, 'tempo-small'));
      const strict = await check(replay, [...big, ...atMostOnce]);
      expect([strict.code, strict.stdout]).toEqual([4, expect.stringContaining('settled')]);
      await server?.stop();
      const accepted = await check(replay, [...big, ...atMostOnce, '--completeness', 'settled', '--json']);
      expect([accepted.code, JSON.parse(accepted.stdout).source]).toEqual([
        0,
        expect.objectContaining({ accepted: 'settled', completeness: { settled: 1 } }),
      ]);
      for (const name of ['byid-v2-big-later-nopruning-json.body.json', 'byid-v2-big-later-nopruning-pb.body.pb']) {
        const saved = ['check', '--input', join(wire, 'tempo-small', name), ...atMostOnce];
        expect([name, (await runCli(saved)).code]).toEqual([name, 4]);
        expect([name, (await runCli([...saved, '--completeness', 'settled'])).code]).toEqual([name, 0]);
      }
    });

    test('a value that Tempo cut decides nothing that may hang on what stood behind the cut', async () => {
      const rule = (expect_: string) => [
        '--assert',
        `SpansMatch={"match":{"name":"chat scripted-1"},"expect":${expect_}}`,
      ];
      const ends = rule('{"every":{"attributes":{"gen_ai.input.messages":{"endsWith":"]"}}}}');
      const holdsNot = rule('{"none":{"attributes":{"gen_ai.input.messages":{"contains":"}]"}}}}');
      const codes = async (folder: string) => {
        const found: number[] = [];
        for (const form of ['byid-v2-longattr-json.body.json', 'byid-v2-longattr-pb.body.pb']) {
          for (const asked of [ends, holdsNot]) {
            const input = ['--input', join(wire, folder, form), '--completeness', 'settled'];
            found.push((await runCli(['check', ...input, ...asked])).code);
          }
        }
        return found;
      };
      expect(await codes('tempo-quick')).toEqual([0, 1, 0, 1]);
      expect(await codes('tempo-stock')).toEqual([4, 4, 4, 4]);
    });

    test('no span of that trace says which operation it is, so nobody can tell a call of a tool from its absence', async () => {
      const everything = ['--instrumented', 's', '--completeness', 'settled'];
      const called = ['--assert', 'ToolCalled={"match":{"tool":"issue_refund"},"expect":{"atMost":1}}'];
      const { code, stdout } = await check(replayOf(join(wire, 'tempo-small')), [...big, ...called, ...everything]);
      expect([code, stdout]).toEqual([4, expect.stringContaining('no known instrumentation')]);
    });

    test('Jaeger: show and check', async () => {
      const agent = ['--trace-source', 'jaeger', '--trace-id', '5b8efff798038103d269b633813fc60c'];
      const found = await check(replayOf(join(wire, 'jaeger')), [...agent, ...joined]);
      expect(found.code).toBe(0);
      await server?.stop();
      const missing = await check(recorded(join(wire, 'jaeger'), 'v3-byid-notfound'), [
        ...agent,
        ...joined,
        '--deadline',
        '3s',
      ]);
      expect(missing.code).toBe(4);
    });
  },
);
