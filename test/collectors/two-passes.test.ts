import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { line, logLine } from './otlp-lines.ts';
import { plainSpan } from './plain-span.ts';
import { type ReadAll, readAll } from './read-all.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'two-passes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const span = fc.record({
  trace: fc.constantFrom(...'abcde'),
  span: fc.integer({ min: 1, max: 6 }),
  run: fc.constantFrom(undefined, undefined, 'r1', 'r2', 'r3'),
});
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(span, { maxLength: 4 })
      .map((spans) => line(...spans.map(({ run, ...rest }) => (run === undefined ? rest : { ...rest, run })))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...'abcdef').map((trace) => logLine(trace, 1)) },
  { weight: 1, arbitrary: fc.constant('') },
);
/** Files of lines, some of them with the end cut off. */
const files = fc.array(fc.record({ lines: fc.array(text, { minLength: 1, maxLength: 8 }), cut: fc.nat({ max: 6 }) }), {
  minLength: 1,
  maxLength: 3,
});

function content({ groups, inputs, looseLogs }: ReadAll): unknown {
  const told = groups.map((group) =>
    group.map(({ trace, facts, completeness }) => [
      trace.traceId,
      trace.spans.map(plainSpan),
      trace.duplicates,
      trace.logs.length,
      facts,
      completeness,
    ]),
  );
  return [
    told.sort((a, b) => (JSON.stringify(a[0]?.[0]) < JSON.stringify(b[0]?.[0]) ? -1 : 1)),
    inputs,
    looseLogs.length,
  ];
}

test('one pass and two read the same traces in the same groups', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (written) => {
      const inputs = written.map(({ lines, cut }, i) => {
        const path = join(folder, `${i}.jsonl`);
        const whole = [line({ trace: 'f', span: 9 }), ...lines].join('\n');
        const cutLine = line({ trace: 'a', span: 7 }).slice(0, -5);
        writeFileSync(path, cut === 0 ? `${whole}\n${cutLine}` : whole);
        return path;
      });
      expect(content(await readAll({ inputs, twoPassesAboveBytes: 0 }))).toEqual(content(await readAll({ inputs })));
    }),
    { numRuns: 60, seed: 41 },
  );
});
