import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otlpOf } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const run = (args: readonly string[], options = {}) => runCli(args, { cwd: scratch.path, ...options });
const joins = ['--assert', 'ExecutionTraceJoined'];
const main = resolve(import.meta.dirname, '../../dist/src/cli/main.js');

beforeAll(() => {
  const file = (name: string, data: string | Uint8Array): void => writeFileSync(scratch.file(name), data);
  file('good.json', otlpOf([{ id: '1' }]));
  file('empty', '');
  file('blank.json', ' \n ');
  file('junk.bin', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167) % 256)));
  file('deep.json', '['.repeat(200) + ']'.repeat(200));
  file('prefix.pb', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x01]));
  file('cut.json.gz', gzipSync(otlpOf([{ id: '1' }, { id: '2' }])).subarray(0, 60));
  file('picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  file('words.txt', 'this is no trace\n');
  file('other.json', '{"name":"package","version":"1.0.0"}');
  mkdirSync(scratch.file('nothing-here'));
  mkdirSync(scratch.file('texts'));
  file('texts/readme.md', '# no trace\n');
});

describe('bad input is one sentence, the right code, and no half-written report', () => {
  test.each([
    ['an empty file', 'empty', [2, 4]],
    ['a blank file', 'blank.json', [2, 4]],
    ['a folder without a file', 'nothing-here', [2]],
    ['a folder without a trace', 'texts', [2]],
    ['binary junk', 'junk.bin', [2]],
    ['200 levels of nesting', 'deep.json', [2]],
    ['a length prefix of 4 GB', 'prefix.pb', [2]],
    ['a truncated gzip', 'cut.json.gz', [2]],
    ['a picture', 'picture.png', [2]],
    ['words', 'words.txt', [2]],
    ['other JSON', 'other.json', [2]],
    ['a missing file', 'absent.json', [2]],
    ['a glob that fits nothing', 'none-*.json', [2]],
  ])('%s', async (_, input, codes) => {
    for (const command of [['show'], ['check', ...joins, '--json', 'report.json', '--junit', 'report.xml']]) {
      const { code, stderr, stdout } = await run([...command, '--input', input]);
      expect(codes).toContain(code);
      if (code !== 2) continue;
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^otel-eval: .+\n$/);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).not.toMatch(/\n\s+at |undefined|\[object/);
    }
    expect(readdirSync(scratch.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each([
    [
      'an unknown key',
      'schema: otel-eval/suite/v1\nscenarioss: []\n',
      'bad.yaml:2:1: unknown key "scenarioss"; did you mean "scenarios"?',
    ],
    [
      'a misspelt assertion',
      'schema: otel-eval/suite/v1\nscenarios: [{ name: a, assertions: [ToolCaled] }]\n',
      'bad.yaml:2:36: unknown assertion "ToolCaled" at scenarios[0].assertions[0]; did you mean "ToolCalled"?',
    ],
  ])('a suite with %s', async (_, text, sentence) => {
    writeFileSync(scratch.file('bad.yaml'), text);
    const { code, stdout, stderr } = await run(['check', 'bad.yaml', '--input', 'good.json', '--json', 'suite.json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split(' (and ')[0]?.trimEnd()).toBe(`otel-eval: ${sentence}`);
    expect(existsSync(scratch.file('suite.json'))).toBe(false);
  });

  test('a missing suite', async () => {
    const { code, stderr } = await run(['check', 'absent.yaml', '--input', 'good.json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'otel-eval: cannot read absent.yaml: no such file\n' });
  });

  test('validate lists every mistake, and says nothing else', async () => {
    writeFileSync(scratch.file('bad.yaml'), 'schema: otel-eval/suite/v1\nscenarios: [{ nam: a, assertions: [Foo] }]\n');
    const { code, stdout, stderr } = await run(['validate', 'bad.yaml']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(0, 40)),
    ).toEqual(['bad.yaml:2:15: unknown key "nam" at scen', 'bad.yaml:2:35: unknown assertion "Foo" a']);
  });
});

describe('a misused command line is a sentence that helps', () => {
  test.each([
    [['chek'], 'unknown command "chek"; did you mean "check"?'],
    [['check', '--inptu', 'x'], 'unknown option --inptu of "otel-eval check"; did you mean --input?'],
    [['check', '--input'], 'option \'--input <path>\' argument missing; see "otel-eval check --help"'],
    [['--input', 'x'], /^expected a command before the option --input: check, /],
    [['check', 'a.yaml', 'b.yaml'], /too many arguments/],
    [
      ['check', '--input', 'good.json'],
      'expected something to judge by, got none; name a suite, or an assertion as in --assert ExecutionTraceJoined',
    ],
    [
      ['check', ...joins],
      'expected traces to read, got none; give --input FILE (a folder, a glob and - work too), or another --trace-source',
    ],
    [
      ['check', '--input', 'good.json', '--assert', 'ExecutionTraceJoind'],
      '--assert: unknown assertion "ExecutionTraceJoind"; did you mean "ExecutionTraceJoined"?',
    ],
    [
      ['check', '--input', 'good.json', '--assert', 'ToolCalled={"match":'],
      '--assert ToolCalled: expected JSON behind "="; as in --assert \'ToolCalled={"match": {}}\'',
    ],
    [
      ['check', '--input', 'good.json', '--assert', 'ToolCalled={"mtch":{}}'],
      /^--assert: .*(unknown key "mtch"|got nothing at match)/,
    ],
    [
      ['check', '--trace-source', 'memory', ...joins],
      'expected spans for source memory, got none; a TypeScript suite brings them: traces: { source: "memory", spans: … }',
    ],
    [
      ['show', '--input', 'good.json', '--as', 'tre'],
      /argument 'tre' is invalid. Allowed choices are run, tree, table, json/,
    ],
    [
      ['check', '--trace-source', 'grafana', ...joins],
      /'grafana' is invalid\. Grafana is read as Tempo, through its data-source proxy: --trace-source tempo --url /,
    ],
    [['show', '--input', 'good.json', '--deadline', 'soon'], /expected a duration such as 500ms, 30s or 2m/],
    [['explain', 'xyz', '--input', 'good.json'], 'expected a span id of up to 16 hex digits, or its first digits'],
    [
      ['show', '--input', 'good.json', '--digest-key-env', 'NO_SUCH'],
      'expected a digest key in the variable NO_SUCH, which is not set',
    ],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const said = stderr.replace(/^otel-eval: /, '').trimEnd();
    if (typeof sentence === 'string') expect(said).toBe(sentence);
    else expect(said).toMatch(sentence);
    expect(said.split('\n')).toHaveLength(1);
  });

  test('a stack is shown only on demand', async () => {
    const plain = await run(['show', '--input', 'absent.json']);
    const debug = await run(['show', '--input', 'absent.json', '--debug']);
    expect(plain.stderr).not.toContain('    at ');
    expect(debug.stderr).toContain('    at ');
  });
});

// Permissions mean nothing to root: where we are root, the built command line runs as the user `nobody`.
const asNobody = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;
const canTest = (asNobody || (process.getuid?.() ?? 0) !== 0) && existsSync(main);

describe.skipIf(!canTest)('without permission (skipped without setpriv, or where nothing is built)', () => {
  const command = (args: string[]) => {
    const all = [process.execPath, main, ...args];
    const user = asNobody ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...all] : all;
    return spawnSync(user[0]!, user.slice(1), { cwd: scratch.path, encoding: 'utf8' });
  };

  test('a file that may not be read is told', () => {
    chmodSync(scratch.path, 0o755);
    writeFileSync(scratch.file('secret.json'), otlpOf([{ id: '1' }]), { mode: 0o600 });
    if (!asNobody) chmodSync(scratch.file('secret.json'), 0);
    const { status, stdout, stderr } = command(['show', '--input', 'secret.json']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^otel-eval: cannot read secret\.json: .+\n$/);
  });

  test('a report path that may not be written is told before anything is judged', () => {
    chmodSync(scratch.path, 0o755);
    mkdirSync(scratch.file('locked'), { mode: 0o555, recursive: true });
    const report = join('locked', 'report.json');
    const { status, stdout, stderr } = command(['check', '--input', 'good.json', ...joins, '--json', report]);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `otel-eval: cannot write ${report}: permission denied\n`,
    });
    expect(readdirSync(scratch.file('locked'))).toEqual([]);
  });
});
