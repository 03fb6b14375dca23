// The packed tarball, installed by npm beside each line of the SDK and without any: no warning, and spans arrive.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { installedLines } from '../sdk-lines/installed-lines.mjs';
import { root } from './packed-project.mjs';

const npm = join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm', 'bin', 'npm-cli.js');
const { node: newerNode, missing } = installedLines();
const registry = spawnSync('npm', ['view', '@opentelemetry/api', 'version'], { encoding: 'utf8', timeout: 60_000 });
const offline = registry.status === 0 ? undefined : 'the registry cannot be reached';

const apps = [
  { name: 'an app without OpenTelemetry', node: process.execPath, packages: [], line: /^[23]\./ },
  {
    name: 'an app on SDK 2.12',
    node: process.execPath,
    packages: [
      '@opentelemetry/api@1.9.1',
      '@opentelemetry/sdk-trace-node@2.12.1',
      '@opentelemetry/exporter-trace-otlp-http@0.223.1',
    ],
    line: /^2\.12\./,
  },
  {
    name: 'an app on SDK 3',
    node: newerNode,
    skip: missing,
    packages: ['@opentelemetry/api@1.10', '@opentelemetry/sdk-trace@3.1.1'],
    line: /^3\./,
  },
  { name: 'an app without OpenTelemetry on a newer Node', node: newerNode, skip: missing, packages: [], line: /^3\./ },
];

const app = `
import { agentRun, toolCall } from 'otel-eval/instrument';
await agentRun({ name: 'a' }, () => toolCall({ name: 'look', arguments: { q: 'private words' } }, async () => 1));
`;

describe('npm installs the packed tarball', { skip: offline ?? (existsSync(npm) ? false : 'npm is not found') }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'otel-eval-installs-'));
  let tarball;
  before(() => {
    const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], {
      cwd: root,
      encoding: 'utf8',
    });
    tarball = join(scratch, JSON.parse(packed)[0].filename);
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  for (const { name, node, packages, line, skip } of apps) {
    test(`into ${name}, without a warning, and spans arrive`, { skip: skip ?? false }, async () => {
      const folder = mkdtempSync(join(scratch, 'app-'));
      writeFileSync(join(folder, 'package.json'), '{"name":"app","private":true,"type":"module"}');
      writeFileSync(join(folder, 'app.mjs'), app);
      const run = (...args) => spawnSync(node, [npm, ...args], { cwd: folder, encoding: 'utf8' });
      if (packages.length > 0)
        assert.equal(run('install', '--no-audit', '--no-fund', '--prefer-offline', ...packages).status, 0);
      const { status, stdout, stderr } = run('install', '--no-audit', '--no-fund', '--prefer-offline', tarball);
      assert.equal(status, 0, stderr);
      assert.equal(stderr, '');
      assert.doesNotMatch(stdout, /warn|deprecated/i);
      const listed = run('ls', '--all', '--json', '@opentelemetry/sdk-trace');
      assert.equal(listed.status, 0, listed.stdout);
      const manifest = join(folder, 'node_modules/@opentelemetry/sdk-trace/package.json');
      assert.match(JSON.parse(readFileSync(manifest, 'utf8')).version, line);
      assert.deepEqual(await spansOf(node, folder), ['execute_tool look', 'invoke_agent a']);
    });
  }
});

/** Names of the spans that the app sends when it is started with the one option. */
async function spansOf(node, folder) {
  const bodies = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const child = spawn(node, ['--import', 'otel-eval/register', 'app.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env.PATH, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.address().port}` },
  });
  const [code] = await once(child, 'exit');
  server.close();
  assert.equal(code, 0);
  assert.doesNotMatch(bodies.join(), /private words/);
  return bodies
    .flatMap((body) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans.map(({ name }) => name));
}
