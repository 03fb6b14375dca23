import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { manifest, packedProject, root, subpaths } from './packed-project.mjs';

let project;
before(() => {
  project = packedProject();
});
after(() => project.remove());

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: project.folder, encoding: 'utf8', ...options });
// Doors that register themselves with a test runner cannot be loaded outside of it.
const runnerDoors = ['otel-eval/vitest', 'otel-eval/jest', 'otel-eval/register'];
const plainSubpaths = subpaths.filter((path) => !runnerDoors.includes(path));

describe('the package', () => {
  test('holds the build, the sources and no tests', () => {
    const files = execFileSync('tar', ['-tzf', project.tarball], { encoding: 'utf8' }).split('\n');
    for (const wanted of [
      'package/dist/src/cli/main.js',
      'package/LICENSE',
      'package/README.md',
      'package/src/trace/span.ts',
    ]) {
      assert.ok(files.includes(wanted), `${wanted} is not in the package`);
    }
    assert.deepEqual(
      files.filter((file) => /^package\/(test|fixtures|bench|deploy|\.ci)\//.test(file)),
      [],
    );
  });

  test('publint finds nothing', () => {
    const { status, stdout, stderr } = spawnSync(
      join(root, 'node_modules/.bin/publint'),
      ['run', '--strict', project.tarball],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout + stderr);
  });

  test('types resolve for every subpath', () => {
    const { status, stdout, stderr } = spawnSync(
      join(root, 'node_modules/.bin/attw'),
      [project.tarball, '--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--no-color'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout + stderr);
  });

  for (const path of plainSubpaths) {
    test(`${path} can be imported and required, with the same names`, () => {
      const imported = run('node', [
        '--input-type=module',
        '-e',
        `console.log(Object.keys(await import('${path}')).sort().join())`,
      ]);
      assert.equal(imported.status, 0, imported.stderr);
      const required = run('node', [
        '--input-type=commonjs',
        '-e',
        `console.log(Object.keys(require('${path}')).filter((n) => n !== '__esModule').sort().join())`,
      ]);
      assert.equal(required.status, 0, required.stderr);
      assert.equal(imported.stdout, required.stdout);
      assert.notEqual(imported.stdout.trim(), '', `${path} exports nothing`);
    });
  }

  test('the exported names are those of the snapshot', () => {
    const names = {};
    for (const path of plainSubpaths) {
      const { stdout } = run('node', [
        '--input-type=module',
        '-e',
        `console.log(JSON.stringify(Object.keys(await import('${path}')).sort()))`,
      ]);
      names[path] = JSON.parse(stdout);
    }
    const file = join(import.meta.dirname, 'exported-names.json');
    if (process.env.UPDATE_EXPORTED_NAMES) writeFileSync(file, `${JSON.stringify(names, null, 2)}\n`);
    assert.deepEqual(
      names,
      JSON.parse(readFileSync(file, 'utf8')),
      'rerun with UPDATE_EXPORTED_NAMES=1 and review the diff',
    );
  });

  test('every collector has a file, a line in the index and a subpath', () => {
    const files = readdirSync(join(root, 'collectors'), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'index.ts')
      .map((entry) => entry.name.replace(/\.ts$/, ''))
      .sort();
    const exported = subpaths
      .filter((path) => path.startsWith('otel-eval/collectors/'))
      .map((path) => path.split('/').at(-1))
      .sort();
    assert.deepEqual(exported, files, 'add the subpath to "exports" of package.json');
    const index = readFileSync(join(root, 'collectors/index.ts'), 'utf8');
    assert.deepEqual(
      files.filter((name) => !index.includes(`./${name}.ts`)),
      [],
      'add the line to collectors/index.ts',
    );
  });

  test('runtime dependencies are those of the design', () => {
    const allowed = [
      '@opentelemetry/core',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
      '@remix-run/html-template',
      'commander',
      'fzstd',
      'jiti',
      'p-limit',
      'pbf',
      'tinyglobby',
      'undici',
      'yaml',
      'zod',
    ];
    assert.deepEqual(
      Object.keys(manifest.dependencies).filter((name) => !allowed.includes(name)),
      [],
    );
  });
});

describe('the packed command line', () => {
  const cli = (...args) => run('node', [project.cli, ...args]);
  const span = (id, parent, extra = {}) => ({
    traceId: 'a1'.repeat(16),
    spanId: id,
    parentSpanId: parent,
    name: 'work',
    kind: 1,
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
    ...extra,
  });
  const file = (name, spans) => {
    const path = join(project.folder, name);
    writeFileSync(path, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
    return path;
  };
  const joined = () => file('joined.json', [span('b1'.repeat(8), ''), span('b2'.repeat(8), 'b1'.repeat(8))]);
  const orphan = () => file('orphan.json', [span('b1'.repeat(8), ''), span('b2'.repeat(8), 'b3'.repeat(8))]);

  test('says its version', () => {
    const { status, stdout } = cli('--version');
    assert.equal(status, 0);
    assert.equal(stdout.trim(), manifest.version);
  });
  test('exits 0 when all passed', () => {
    const { status, stdout, stderr } = cli(
      'check',
      '--input',
      joined(),
      '--one-run',
      '--assert',
      'ExecutionTraceJoined',
    );
    assert.equal(status, 0, stdout + stderr);
  });
  test('exits 1 when something failed', () => {
    const { status, stdout } = cli('check', '--input', orphan(), '--one-run', '--assert', 'ExecutionTraceJoined');
    assert.equal(status, 1, stdout);
    assert.match(stdout, /execution-trace-joined\/orphan-span/);
  });
  test('exits 2 when it could not look', () => {
    const { status, stderr } = cli('check', '--input', 'nothing-here.json', '--assert', 'ExecutionTraceJoined');
    assert.equal(status, 2);
    assert.match(stderr, /nothing-here\.json/);
  });
  test('exits 4 when nothing was examined', () => {
    const empty = join(project.folder, 'empty.json');
    writeFileSync(empty, '{"resourceSpans":[]}');
    const { status, stdout, stderr } = cli('check', '--input', empty, '--assert', 'ExecutionTraceJoined');
    assert.equal(status, 4, stdout + stderr);
  });
});
