// The snippets of docs/testing.md, each run by its runner with what a user gets.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { memoryCollector } from '../../dist/collectors/memory.js';
import { agentSpanProcessor } from '../../dist/src/instrument/index.js';
import { encodeOtlpJson } from '../../dist/src/trace/encode-otlp-json.js';
import { packedProject, root } from './packed-project.mjs';

let project;
before(() => {
  project = packedProject(['jest', 'mocha', 'vitest']);
  cpSync(join(root, 'fixtures/getting-started'), join(project.folder, 'getting-started'), { recursive: true });
});
after(() => project.remove());

const bin = (path) => join(root, 'node_modules', path);
const commands = {
  'vitest.test.ts': [bin('vitest/vitest.mjs'), 'run', '--root', '.'],
  'jest.test.js': [bin('jest/bin/jest.js')],
  'node.test.mjs': ['--test'],
  'mocha.spec.mjs': [bin('mocha/bin/mocha.js')],
  'script.mjs': [],
  'privacy.test.mjs': ['--test'],
};

/** Ends with the exit code and all output. */
function run(args, more = {}) {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: join(project.folder, 'getting-started'),
    env: { ...env, NO_COLOR: '1', CI: 'true', ...more },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })));
}

describe('getting started', () => {
  for (const [file, command] of Object.entries(commands)) {
    test(file, async () => {
      const { status, output } = await run([...command, file]);
      assert.equal(status, 0, output);
      assert.doesNotMatch(output, /correct-horse/);
    });
  }

  test('deployed.test.mjs, against a server that speaks as Tempo', async () => {
    const { traceId, document } = await deployedTrace();
    const server = createServer(({ url }, response) => {
      const found = url.includes(traceId);
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(found ? JSON.stringify({ trace: document, metrics: {} }) : '{}');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const env = { OTEL_EVAL_URL: `http://127.0.0.1:${server.address().port}`, TRACE_ID: traceId };
      const { status, output } = await run(['--test', 'deployed.test.mjs'], env);
      assert.equal(status, 0, output);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

/** A trace with its receipt, as an app with our processor sends it. */
async function deployedTrace() {
  const memory = memoryCollector();
  const provider = new NodeTracerProvider({ spanProcessors: [agentSpanProcessor({ next: memory.processor })] });
  const tracer = provider.getTracer('app');
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'issue_refund' };
  tracer.startSpan('execute_tool issue_refund', { attributes }).end();
  for await (const [{ trace }] of (await memory.collect()).groups()) {
    return { traceId: trace.traceId, document: JSON.parse(encodeOtlpJson(trace.spans)) };
  }
}
