import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { installedLines } from './installed-lines.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const lines = installedLines();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Our sources, copied beside the packages of one line, so that they resolve to these. */
function run(line: 'sdk-2' | 'sdk-3') {
  const folder = mkdtempSync(join(tmpdir(), `otel-eval-${line}-`));
  folders.push(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const room of ['src', 'collectors']) cpSync(join(root, room), join(folder, room), { recursive: true });
  cpSync(join(import.meta.dirname, 'scenario.mjs'), join(folder, 'scenario.mjs'));
  symlinkSync(join(lines.folder, line, 'node_modules'), join(folder, 'node_modules'));
  const { stdout, stderr, status } = spawnSync(lines.node, ['scenario.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
    timeout: 600_000,
  });
  expect([status, stderr.replace(/^.*(?:ExperimentalWarning|--trace-warnings).*$/gm, '').trim()]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const input = [{ role: 'user', parts: [{ type: 'text', content: 'private words' }] }];

/** What the app's own exporter gets while a recorder listens beside it, and after that. */
const besideRecorder = ['execute_tool one', 'invoke_agent r', 'execute_tool two', 'invoke_agent r', 'after'];
const recordedRun = (tool: string, open: readonly string[], states: readonly string[]) => ({
  value: tool,
  tools: [tool],
  states,
  spans: [`execute_tool ${tool}`, 'invoke_agent r', ...open],
  open,
  others: 0,
});
const recorded = [recordedRun('one', [], ['settled']), recordedRun('two', ['left open'], ['broken', 'settled'])];

describe.skipIf(lines.missing !== undefined)(
  `SDK lines${lines.missing === undefined ? '' : ` (skipped: ${lines.missing})`}`,
  () => {
    test.each([
      // The older line drops a structure when it is set, the newer one keeps it.
      ['sdk-2', '2.12.1', null],
      ['sdk-3', '3.1.1', input],
    ] as const)('%s: the same stamps, receipts and modes', (line, version, inContentMode) => {
      const seen = run(line);
      expect(seen.version).toBe(version);
      expect(seen.state).toBe('proven');
      expect(seen.spans).toEqual(['invoke_agent a', 'chat m', 'execute_tool look', 'execute_tool look']);
      expect(seen.leaked).toBe(false);
      expect(seen.chat).toEqual({
        'gen_ai.operation.name': 'chat',
        'gen_ai.usage.input_tokens': 12,
        'otel_eval.segment': expect.stringMatching(/^[0-9a-f]{16}$/),
        'otel_eval.event.index': 1,
        'otel_eval.withheld.count': line === 'sdk-2' ? 5 : 6,
      });
      expect(seen.tool).toMatchObject({
        'otel_eval.tool.result_failed': true,
        'otel_eval.attempt.operation': 1,
        'otel_eval.attempt.number': 1,
        'otel_eval.tool.arguments_bytes': 16,
        'otel_eval.tool.arguments_digest': expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
      });
      expect(seen.posted).toEqual(['chat m', 'execute_tool look', 'invoke_agent helped', 'late', ...besideRecorder]);
      expect(seen.inContentMode ?? null).toEqual(inContentMode);
      expect(seen.counters).toMatchObject({ seen: 4, failed: 0, dropped: 0 });
      expect(seen.registered).toMatchObject({ seen: 9, failed: 0, dropped: 0 });
      // Alone, beside the app's provider, and as a processor of a provider that the app makes.
      for (const how of ['alone', 'beside', 'given']) expect([how, seen.recorded[how]]).toEqual([how, recorded]);
      expect(seen.withNodeSdk).toEqual([
        [
          ['chat m', null, null, false, 'node-sdk'],
          ['invoke_agent in-node-sdk', 2, 'metadata', false, 'node-sdk'],
        ],
        [
          ['chat m', null, null, true, 'node-sdk'],
          ['invoke_agent in-node-sdk', 2, 'content', false, 'node-sdk'],
        ],
      ]);
    });
  },
);
