import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { countsOf, readAll } from './read-all.ts';

interface Expected {
  readonly file: string;
  readonly traces: number;
  readonly spans: number;
  readonly roots: number;
  readonly orphans: number;
}

/** The rows of EXPECTED.md that tell numbers. */
function expectedOf(folder: string): Expected[] {
  const rows = readFileSync(join(folder, 'EXPECTED.md'), 'utf8').matchAll(
    /^\| (\S+) \| (\d+)\/(\d+)\/(\d+)\/(\d+)\/\d+ \|/gm,
  );
  return [...rows].map(([, file = '', traces, spans, roots, orphans]) => ({
    file,
    traces: Number(traces),
    spans: Number(spans),
    roots: Number(roots),
    orphans: Number(orphans),
  }));
}

function testsOf(folder: string): void {
  const expected = expectedOf(folder);
  test('the table is there', () => {
    expect(expected.length).toBeGreaterThan(30);
  });

  test.each(expected.map((row) => [row.file, row] as const))('%s', async (file, { traces, spans, roots, orphans }) => {
    for (const twoPassesAboveBytes of [undefined, 0]) {
      const options = twoPassesAboveBytes === undefined ? {} : { twoPassesAboveBytes };
      const all = await readAll({ inputs: [join(folder, file)], ...options });
      // Its two placeholder rows are rows, no spans.
      const distinct = file.startsWith('dup-06') ? 2 : spans;
      expect(countsOf(all)).toMatchObject({ traces, spans: distinct, roots, orphans });
      if (spans === 0)
        expect(all.inputs[0]?.problems.map(({ code }) => code)).toEqual([
          file.startsWith('tempo') ? 'not-found' : 'no-spans',
        ]);
    }
  });

  test('otlp-01: ids that are encoded twice are refused by name', async () => {
    const { traces, inputs } = await readAll({ inputs: [join(folder, 'otlp-01-double-encoded-ids.json')] });
    expect(traces).toEqual([]);
    expect(inputs[0]?.problems.find(({ at }) => at.endsWith('spans[0].traceId'))?.message).toBe(
      'expected 32 hex digits, or base64 of 16 bytes, got base64 of the hex digits (encoded twice)',
    );
  });

  test('otlp-02: times and integers in every form keep their digits', async () => {
    const { traces } = await readAll({ inputs: [join(folder, 'otlp-02-time-and-int-forms.json')] });
    const times = (traces[0]?.trace.spans ?? []).map((span) => [
      span.name,
      span.startUnixNano,
      (span.endUnixNano ?? 0n) - span.startUnixNano,
      span.attributes.get('gen_ai.usage.input_tokens'),
    ]);
    expect(times.sort()).toEqual([
      ['low-high times', 1_760_000_000_123_456_789n, 1n, 12],
      ['number times', 1_760_000_000_123_456_512n, 512n, 12],
      ['string times', 1_760_000_000_123_456_789n, 1n, 12],
    ]);
  });

  test('otlp-10: ids of a wrong length are named, one by one', async () => {
    const { traces, inputs } = await readAll({ inputs: [join(folder, 'otlp-10-wrong-length-ids.json')] });
    expect(traces.map(({ trace }) => trace.roots.map((span) => span.name))).toEqual([
      ['root', 'zero parent means root'],
    ]);
    expect(inputs[0]?.problems.map(({ code, at }) => [code, at.replace(/^.*\.(spans)/, '$1')])).toEqual([
      ['bad-span-id', 'spans[1].spanId'],
      ['bad-trace-id', 'spans[2].traceId'],
      ['bad-span-id', 'spans[3].spanId'],
    ]);
    expect(traces[0]?.completeness.state).toBe('broken');
    expect(traces[0]?.facts.losses ?? []).toEqual([
      `3 rows of ${join(folder, 'otlp-10-wrong-length-ids.json')} have no readable ids`,
    ]);
  });

  test('answers of a backend are remote, files of OTLP are not', async () => {
    const remote = async (file: string): Promise<boolean | undefined> =>
      (await readAll({ inputs: [join(folder, file)] })).traces[0]?.facts.remote;
    expect(await remote('tempo-02-v1-batches-base64.json')).toBe(true);
    expect(await remote('join-10-jaeger-truncated-traceid.json')).toBe(true);
    expect(await remote('otlp-06-two-lines.jsonl')).toBe(false);
  });
}

describe('inputs of our own', () => testsOf(resolve(import.meta.dirname, '../../fixtures/inputs')));

if (sharedCases === undefined) test.skip(`shared inputs: ${withoutSharedCases}`, () => {});
else {
  const folder = join(sharedCases, 'inputs');
  describe('shared inputs', () => testsOf(folder));
}
