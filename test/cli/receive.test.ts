import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { otlpOf } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);

test('receive tells its address first, keeps what it acknowledged, and ends when asked', async () => {
  const body = otlpOf([{ id: '1' }, { id: '2', parent: '1' }]);
  const { code, stdout, stderr } = await runCli(['receive', '--listen', '127.0.0.1:0', '--out', 'got.jsonl'], {
    cwd: scratch.path,
    stop: async (said) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`http://${said().trim()}/v1/traces`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      // On the disk before anything else happens.
      expect(readFileSync(scratch.file('got.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(1);
    },
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^127\.0\.0\.1:\d+\n$/);
  expect(stderr.split('\n')[1]).toBe('received 2 spans, 0 log records, 0 requests with metrics (not kept)');
  const shown = await runCli(['show', '--input', 'got.jsonl', '--as', 'json'], { cwd: scratch.path });
  expect(JSON.parse(shown.stdout).traces).toMatchObject([{ spans: 2, orphans: [] }]);
});

test.each(['4318', 'localhost', '127.0.0.1:99999', ':4318'])('receive refuses to listen at %s', async (address) => {
  const { code, stderr } = await runCli(['receive', '--listen', address], { cwd: scratch.path });
  expect(code).toBe(2);
  expect(stderr).toContain('expected HOST:PORT, as 127.0.0.1:4318');
});

test('receive says so where the port is taken', async () => {
  const { code } = await runCli(['receive', '--listen', '127.0.0.1:0', '--out', 'a.jsonl'], {
    cwd: scratch.path,
    stop: async (said) => {
      const second = await runCli(['receive', '--listen', said().trim(), '--out', 'b.jsonl'], { cwd: scratch.path });
      expect(second.code).toBe(2);
      expect(second.stderr).toMatch(/^otel-eval: cannot listen .+\n$/);
    },
  });
  expect(code).toBe(0);
});
