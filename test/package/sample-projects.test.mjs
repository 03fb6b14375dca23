// The sample projects under fixtures/projects, each with what a user gets: green is green, red says why, and what the trace
// does not decide is red too.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { packedProject, root } from './packed-project.mjs';

let project;
before(() => {
  project = packedProject(['jest', 'vitest', '@opentelemetry/sdk-trace-node']);
  cpSync(join(root, 'fixtures/projects'), join(project.folder, 'projects'), { recursive: true });
});
after(() => project.remove());

const bin = (path) => join(root, 'node_modules', path);
const projects = {
  vitest: {
    command: (file) => [bin('vitest/vitest.mjs'), 'run', '--root', '.', file],
    file: (name) => `${name}.test.ts`,
  },
  jest: { command: (file) => [bin('jest/bin/jest.js'), '--runInBand', file], file: (name) => `${name}.test.js` },
  'jest-esm': {
    command: (file) => ['--experimental-vm-modules', bin('jest/bin/jest.js'), '--runInBand', file],
    file: (name) => `${name}.test.mjs`,
  },
  'node-test': { command: (file) => ['--test', file], file: (name) => `${name}.test.mjs` },
};

function run(sample, name) {
  const { command, file } = projects[sample];
  // The runner of this very test tells its children by variables; theirs is a run of its own.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, command(file(name)), {
    cwd: join(project.folder, 'projects', sample),
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0', CI: 'true' },
  });
  return { status, output: stdout + stderr };
}

// Jest's CommonJS mode loads no ES module before Node 24.9, and the reader of protobuf is one.
const collecting = `
const { createServer } = require('node:http');
const { collectTrace } = require('otel-eval/jest');
let server;
beforeAll(() => {
  server = createServer((_request, response) => response.writeHead(401).end());
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());
const failure = (source) => {
  const url = 'http://127.0.0.1:' + server.address().port;
  return collectTrace({ source, url, traceId: 'a1'.repeat(16), deadlineMs: 60000 }).catch((error) => error);
};
test('jaeger is asked', async () => expect((await failure('jaeger')).code).toBe('OTEL_EVAL_AUTH'));
test('tempo says what to do', async () => {
  const { code, message } = await failure('tempo');
  expect([code, message]).toEqual(['OTEL_EVAL_USAGE', ${JSON.stringify(
    'Jest refuses the ES modules that source tempo needs; run it with NODE_OPTIONS=--experimental-vm-modules and this test as an ES module (.mjs), or on Node 24.9 or newer',
  )}]);
});
`;

/** The failure text in the output of a runner, without what differs from run to run. */
function failureText(output) {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => /[✗?] (expect|assertTrace)/.test(line));
  if (first < 0) return `no failure text in:\n${output}`;
  const evidence = lines.findIndex((line, i) => i > first && /^\s*evidence /.test(line));
  const end = lines.findIndex((line, i) => i > evidence && !/^\s{8,}\S/.test(line));
  const [subject, ...rest] = lines.slice(first, end);
  const indent = Math.min(...rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  const body = rest.map((line) => `  ${line.slice(indent)}`.trimEnd());
  return [subject.slice(subject.search(/[✗?] /)), ...body]
    .join('\n')
    .replace(/ +\d+(\.\d+)? (µs|ms|s)(?!\w)/g, '  N ms')
    .concat('\n');
}

function matchesGolden(text, name) {
  const path = join(import.meta.dirname, 'golden', `${name}.golden.txt`);
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  assert.equal(text, readFileSync(path, 'utf8'), 'rerun with UPDATE_GOLDEN=1 and review the diff');
}

for (const sample of Object.keys(projects)) {
  describe(`the sample project of ${sample}`, () => {
    test('green', () => {
      const { status, output } = run(sample, 'green');
      assert.equal(status, 0, output);
    });
    for (const name of ['red', 'inconclusive']) {
      test(name, () => {
        const { status, output } = run(sample, name);
        assert.equal(status, 1, output);
        matchesGolden(failureText(output), `${sample}.${name}`);
      });
    }
  });
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const loadsEsModules = major > 24 || (major === 24 && minor >= 9);

test('collectTrace in Jest’s CommonJS mode works, or says what to do', { skip: loadsEsModules }, () => {
  writeFileSync(join(project.folder, 'projects', 'jest', 'collecting.test.js'), collecting);
  const { status, output } = run('jest', 'collecting');
  assert.equal(status, 0, output);
});
