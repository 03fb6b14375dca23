import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertions } from '../../assertions/index.ts';
import { commands } from '../../src/cli/commands.ts';
import { otlpOf } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const run = (args: readonly string[], options = {}) => runCli(args, { cwd: scratch.path, columns: 100, ...options });

const story = otlpOf([
  {
    id: '1',
    name: 'invoke_agent helper',
    end: 90,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' },
  },
  {
    id: '2',
    parent: '1',
    name: 'execute_tool refund',
    start: 30,
    end: 50,
    status: 'error',
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'refund', 'app.extra': 'x' },
  },
  { id: '3', parent: 'f', name: 'stray', start: 60, end: 62 },
]);
beforeAll(() => {
  writeFileSync(scratch.file('t.json'), story);
  writeFileSync(scratch.file('empty.json'), '{"resourceSpans":[]}');
  writeFileSync(scratch.file('no.txt'), 'nothing like a trace\n');
});

describe('show', () => {
  test('prints every span as a tree', async () => {
    const { code, stdout } = await run(['show', '--input', 't.json', '--as', 'tree']);
    expect(code).toBe(0);
    expect(stdout).toBe(`trace a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1  3 spans, 1 orphan, broken
  invoke_agent helper     0.09 s
  └─ execute_tool refund  0.02 s  ERROR
  stray                   2.0 ms  parent d0d0d0… missing
`);
  });

  test('prints what the run did, step by step', async () => {
    const { stdout } = await run(['show', '--input', 't.json']);
    expect(stdout).toContain(
      'run a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1  agent helper  1 trace, 3 spans, told apart by agent\n',
    );
    expect(stdout).toMatch(/\n {2}2 {2}tool {3}refund {2}failed {3}0\.02 s/);
  });

  test('prints spans in which no step is known as a tree', async () => {
    const { stdout } = await run(['show', '--input', '-'], { stdin: otlpOf([{ id: '1', name: 'GET /' }]) });
    expect(stdout).toContain('  no step of an agent was recognised in these spans:\n    GET /  0.01 s\n');
  });

  test('prints a line for each span as a table', async () => {
    const { stdout } = await run(['show', '--input', 't.json', '--as', 'table']);
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      'SPAN              PARENT            NAME                 KIND      STATUS  DURATION  SERVICE',
      'd0d0d0d0d0d0d0d1  -                 invoke_agent helper  internal  unset   0.09 s    order-support',
    ]);
  });

  test('prints one JSON document and nothing else', async () => {
    const { code, stdout, stderr } = await run(['show', '--input', 't.json', '--as', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const view = JSON.parse(stdout);
    expect(Object.keys(view)).toEqual(['schema', 'inputs', 'traces', 'runs']);
    expect(view.traces).toMatchObject([
      {
        spans: 3,
        roots: ['d0d0d0d0d0d0d0d1'],
        orphans: [{ spanId: 'd0d0d0d0d0d0d0d3' }],
        errors: ['d0d0d0d0d0d0d0d2'],
      },
    ]);
    expect(view.runs).toMatchObject([
      { agent: 'helper', boundary: 'agent', toolCalls: [{ name: 'refund', outcome: 'failed' }] },
    ]);
  });

  test.each([
    ['read', 0, 't.json'],
    ['not a trace', 2, 'no.txt'],
    ['valid but empty', 4, 'empty.json'],
  ])('ends with the code for %s', async (_, code, input) => {
    expect((await run(['show', '--input', input])).code).toBe(code);
    expect((await run(['explain', 'd0', '--input', input])).code).toBe(code);
  });

  test('prints content only where a person at a terminal asks for it', async () => {
    const args = ['show', '--input', 't.json', '--show-content'];
    const shown = await run(args, { terminal: true });
    expect(shown.stdout).toContain('\nspan d0d0d0d0d0d0d0d2 execute_tool refund\n');
    expect(shown.stdout).toContain('\n  app.extra: x\n');
    const piped = await run(args);
    expect({ code: piped.code, stdout: piped.stdout, stderr: piped.stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'otel-eval: --show-content prints content to a terminal only, and stdout is none; run it without a pipe, redirection or --json\n',
    });
    expect((await run([...args, '--as', 'json'], { terminal: true })).code).toBe(2);
    const check = ['check', '--input', 't.json', '--show-content', '--assert'];
    const every = 'SpansMatch={"match":{"name":"execute_tool refund"},"expect":{"none":{"status":"error"}}}';
    const failed = await run([...check, every, '--junit', 'c.xml'], { terminal: true });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('\n  app.extra: x\n');
    expect(readFileSync(scratch.file('c.xml'), 'utf8')).not.toContain('app.extra');
    expect((await run([...check, every, '--json'], { terminal: true })).code).toBe(2);
  });

  test('colours on a terminal only, and not against NO_COLOR, --no-color or TERM=dumb', async () => {
    const args = ['show', '--input', 't.json', '--as', 'tree'];
    const paint = '\u001b[';
    expect((await run(args)).stdout).not.toContain(paint);
    expect((await run(args, { terminal: true })).stdout).toContain(paint);
    expect((await run(args, { terminal: true, env: { NO_COLOR: '1' } })).stdout).not.toContain(paint);
    expect((await run(args, { terminal: true, env: { TERM: 'dumb' } })).stdout).not.toContain(paint);
    expect((await run([...args, '--no-color'], { terminal: true })).stdout).not.toContain(paint);
    expect((await run(args, { terminal: true, env: { NO_COLOR: '' } })).stdout).toContain(paint);
  });
});

describe('explain', () => {
  test('says how a span was read, from which keys, and which were not', async () => {
    const { stdout } = await run(['explain', 'd0d0d0d0d0d0d0d2', '--input', 't.json']);
    expect(stdout).toContain('span d0d0d0d0d0d0d0d2 "execute_tool refund" of trace a1');
    expect(stdout).toContain('\n  place           child of d0d0d0d0d0d0d0d1 "invoke_agent helper", 0 children\n');
    expect(stdout).toContain('\n  read as         tool, in the words of otel-genai (by its keys)\n');
    expect(stdout).toContain('\n  tool name       refund, from gen_ai.tool.name\n');
    expect(stdout).toMatch(/\n {2}not read .*app\.extra/);
  });

  test('takes the first digits, explains all that fit, and says where none does', async () => {
    expect((await run(['explain', 'd0d0', '--input', 't.json'])).stdout.match(/^span /gm)).toHaveLength(3);
    const { code, stderr } = await run(['explain', 'abc', '--input', 't.json']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'otel-eval: none of 3 spans has an id that begins with abc; "otel-eval show --as table" lists them\n',
    });
  });
});

describe('init', () => {
  test('writes a suite and an example that passes, and that fails when it forgets the refund', async () => {
    const { code, stdout } = await run(['init', 'start']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'wrote start/otel-eval.suite.yaml, start/example-agent.mjs\n\n  cd start && node example-agent.mjs && otel-eval check otel-eval.suite.yaml\n',
    });
    const cwd = scratch.file('start');
    const agent = (...flags: string[]) =>
      spawnSync(process.execPath, ['example-agent.mjs', ...flags], { cwd, encoding: 'utf8' });
    expect(agent().stdout).toBe('6 spans written to example.otlp.jsonl\n');
    expect(await run(['validate', 'otel-eval.suite.yaml'], { cwd })).toMatchObject({
      code: 0,
      stdout: 'otel-eval.suite.yaml: valid, 1 scenario, 4 assertions\n',
    });
    expect((await run(['check', 'otel-eval.suite.yaml'], { cwd })).stdout).toContain('passed: 1/1 scenarios passed');
    agent('--forget-refund');
    const red = await run(['check', 'otel-eval.suite.yaml'], { cwd });
    expect(red.code).toBe(1);
    expect(red.stdout).toContain('tool-called/too-few-calls');
  });

  test('overwrites nothing', async () => {
    writeFileSync(scratch.file('example-agent.mjs'), 'mine');
    const { code, stderr } = await run(['init']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'otel-eval: example-agent.mjs is already here and was left as it is\n',
    });
    expect(readFileSync(scratch.file('example-agent.mjs'), 'utf8')).toBe('mine');
    expect(existsSync(scratch.file('otel-eval.suite.yaml'))).toBe(false);
  });
});

describe('schema', () => {
  test('describes suites with every assertion and its parameters', async () => {
    const schema = JSON.parse((await run(['schema'])).stdout);
    const { items } = schema.properties.scenarios.items.properties.assertions;
    expect(items.anyOf[0].enum).toEqual(assertions.map(({ id }) => id));
    expect(Object.keys(items.anyOf[1].properties)).toEqual(assertions.map(({ id }) => id));
    expect(schema.properties.scenarios.items.additionalProperties).toBe(false);
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((name) => schema.$defs[name ?? ''] === undefined)).toEqual([]);
  });

  test('describes reports', async () => {
    const schema = JSON.parse((await run(['schema', 'report'])).stdout);
    expect(schema.required).toContain('scenarios');
    expect(schema.properties.schema.const).toBe('otel-eval/report/v1');
  });
});

describe('help', () => {
  test('of the whole names every command', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of commands)
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary.slice(0, 20)}`, 'm'));
    expect((await run([])).code).toBe(2);
  });

  test.each(commands.map(({ name }) => name))('of %s teaches by example', async (name) => {
    const { code, stdout, stderr } = await run([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: otel-eval ${name}`);
    expect(stdout).toContain('\nExamples:\n');
    expect(stdout.endsWith('\n')).toBe(true);
    expect((await run(['help', name])).stdout).toBe(stdout);
  });
});
