import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { otlpFileCollector } from '../../collectors/otlp-file.ts';
import { line, type SpanSketch } from './otlp-lines.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-bound-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Traces of 20 spans, four of them open at any time, each in a run of its own; a line holds spans of several. */
function fileOf(traces: number, named: 'run' | 'none'): string {
  const path = join(folder, `${named}-${traces}.jsonl`);
  const file = openSync(path, 'w');
  const spanOf = (trace: number, span: number): SpanSketch => ({
    trace: (trace + 1).toString(16).padStart(32, '0'),
    span: span + 1,
    padding: 400,
    ...(span === 0 ? {} : { parent: 1 }),
    ...(named === 'run' ? { run: `run ${trace}` } : {}),
  });
  for (let first = 0; first < traces; first += 4) {
    for (let span = 0; span < 20; span += 1) {
      writeSync(file, `${line(...[0, 1, 2, 3].map((i) => spanOf(first + i, span)))}\n`);
    }
  }
  closeSync(file);
  return path;
}

/** Bytes that live at most while a file is read and each group is dropped. */
async function mostAlive(path: string, twoPassesAboveBytes: number): Promise<{ bytes: number; traces: number }> {
  const collector = otlpFileCollector({ inputs: [path], twoPassesAboveBytes });
  const collection = await collector.collect();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  let bytes = 0;
  let traces = 0;
  for await (const group of collection.groups()) {
    if (traces % 50 === 0) {
      collectGarbage();
      bytes = Math.max(bytes, process.memoryUsage().heapUsed - before);
    }
    traces += group.length;
  }
  await collector.close();
  return { bytes, traces };
}

test.each(['none', 'run'] as const)(
  'memory stays with what is open, whatever the size of the file (%s)',
  async (named) => {
    const [small, large] = [fileOf(100, named), fileOf(400, named)];
    await mostAlive(small, 0);
    const [ofSmall, ofLarge] = [await mostAlive(small, 0), await mostAlive(large, 0)];
    const atOnce = await mostAlive(large, Number.POSITIVE_INFINITY);
    expect([ofSmall.traces, ofLarge.traces, atOnce.traces]).toEqual([100, 400, 400]);
    // 20 spans take some 20 KB; of a trace that was handed over the index and shared names are left (about 1 KB, and the heap's own noise).
    expect(atOnce.bytes / 400).toBeGreaterThan(10_000);
    expect((ofLarge.bytes - ofSmall.bytes) / 300).toBeLessThan(5_000);
    expect(ofLarge.bytes).toBeLessThan(atOnce.bytes / 8);
  },
);
