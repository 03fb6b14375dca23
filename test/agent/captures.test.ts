import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readRuns } from '../../src/agent/run-reader.ts';
import { viewOf } from '../../src/agent/view.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { canonicalJson } from '../../src/trace/canonical-json.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import { SharedStrings } from '../../src/trace/otlp-reading.ts';
import { allCaptures, captureFolders, sampleOf } from '../capture-set.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'captures-'));
afterAll(() => rmSync(folder, { recursive: true }));

function view(files: readonly string[]): unknown {
  const batches = files.flatMap((file) => {
    if (file.endsWith('.pb')) return [decodeOtlpProtobuf(readFileSync(file))];
    const text = readFileSync(file, 'utf8');
    const shared = new SharedStrings();
    const documents = file.endsWith('.jsonl') ? text.split('\n').filter(Boolean) : [text];
    return documents.map((document) => decodeOtlpJson(document, { shared }));
  });
  const facts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };
  const traces = [
    ...buildTraces(
      batches.flatMap(({ spans }) => spans),
      batches.flatMap(({ logs }) => logs),
    ).values(),
  ];
  const collected = traces.map((trace) => ({ trace, facts, completeness: completenessOf(trace, facts) }));
  const digest = (value: unknown) =>
    `hmac-sha256:${createHmac('sha256', 'cases').update(canonicalJson(value)).digest('hex')}`;
  return viewOf({ inputs: [], traces: collected, runs: readRuns(collected), digest });
}

/** All captures, or those of a few frameworks, side by side in a folder. */
function chosenCaptures(): string {
  const chosen = join(folder, 'captures');
  mkdirSync(chosen);
  for (const name of sampleOf(captureFolders(), 5)) {
    symlinkSync(join(sharedCases ?? '', 'captures', name), join(chosen, name));
  }
  return chosen;
}

/** The shared judge with its one way to look (a process for each file) turned into a call. */
async function judged(captures: string): Promise<readonly string[]> {
  const judge = readFileSync(join(sharedCases ?? '', 'check.mjs'), 'utf8');
  const start = judge.indexOf('function show(');
  const end = judge.indexOf('const total =');
  const script = `${judge.slice(0, start)}const show = (...files) => globalThis.showForTest(files);\n${judge.slice(end)}`;
  const file = join(folder, 'check.mjs');
  writeFileSync(file, script.replaceAll('process.exit(', 'globalThis.exitForTest('));
  const said: string[] = [];
  vi.stubGlobal('showForTest', (files: readonly string[]) => ({ view: JSON.parse(JSON.stringify(view(files))) }));
  vi.stubGlobal('exitForTest', () => undefined);
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  const argv = process.argv;
  process.argv = [argv[0] ?? '', file, '--cli', 'none', '--captures', captures];
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  } finally {
    process.argv = argv;
    log.mockRestore();
    vi.unstubAllGlobals();
  }
  return said;
}

describe.skipIf(sharedCases === undefined)(
  `captures of real frameworks${sharedCases === undefined ? ` (skipped: ${withoutSharedCases})` : ''}`,
  () => {
    test('nothing wrong, no lies, at least 95 % right', async () => {
      const lines = await judged(chosenCaptures());
      expect(lines.slice(0, -1)).toEqual([]);
      const [, right = '0', , wrong, lies, percent = '0'] =
        /^(\d+) right, (\d+) honest, (\d+) wrong, (\d+) lies; ([\d.]+) % right$/.exec(lines.at(-1) ?? '') ?? [];
      expect([wrong, lies]).toEqual(['0', '0']);
      expect(Number(right)).toBeGreaterThan(allCaptures ? 5_000 : 1_000);
      expect(Number(percent)).toBeGreaterThanOrEqual(95);
    });
  },
);
