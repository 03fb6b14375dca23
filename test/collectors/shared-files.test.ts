import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { countsOf, readAll } from './read-all.ts';

type Row = Readonly<Record<string, string>>;

function table(path: string): Row[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [head = [], , ...rows] = lines;
  const counted = rows.filter((row) => row.length === head.length && /^\d+$/.test(row[4] ?? ''));
  return counted.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])));
}

if (sharedCases === undefined) test.skip(`real trace files: ${withoutSharedCases}`, () => {});
else {
  const folder = join(sharedCases, 'files');
  const rows = table(join(folder, 'INDEX.md'));
  const ours = rows.filter(({ format = '' }) => /OTLP|Tempo|Jaeger/i.test(format));

  describe.each([
    ['at once', {}],
    ['in two passes', { twoPassesAboveBytes: 0 }],
  ])('real trace files read %s', (_how, options) => {
    test.each(ours.map((row) => [row['file'] ?? '', row] as const))('%s', async (file, row) => {
      const all = await readAll({ inputs: [join(folder, file)], ...options });
      const { traces, spans, rows, roots, orphans, errors } = countsOf(all);
      expect({ traces, rows, roots, orphans, errors }).toEqual({
        traces: Number(row['traces']),
        rows: Number(row['spans']),
        // Two different spans of 050 share an id, and both are roots.
        roots: Number(row['roots']) - (file.startsWith('050') ? 1 : 0),
        orphans: Number(row['orphans']),
        errors: Number(row['errors']),
      });
      if (file.startsWith('050')) {
        expect(all.traces[0]?.trace.duplicates).toEqual([
          { spanId: '0000000000000002', rows: 2, same: false, parentless: 2 },
        ]);
      }
      if (spans === 0) expect(all.inputs[0]?.problems.map(({ code }) => code)).toContain('no-spans');
    });
  });

  test.each(rows.filter((row) => !ours.includes(row)).map(({ file = '' }) => [file]))(
    'refused in one sentence: %s',
    async (file) => {
      const label = join(folder, file);
      await expect(readAll({ inputs: [label] })).rejects.toMatchObject({
        code: 'OTEL_EVAL_NOT_A_TRACE',
        message: expect.stringMatching(
          /^\S+(, line \d+)? is (?:an?|the) [^\n]+; expected OTLP \(JSON, YAML or protobuf\), an answer of Tempo, or Jaeger JSON$/,
        ),
      });
    },
  );
}
