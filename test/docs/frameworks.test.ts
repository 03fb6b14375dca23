import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialects } from '../../src/agent/dialects/index.ts';
import { allCaptures, captureFolders, sampleOf } from '../capture-set.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import {
  type Asked,
  answerHeads,
  answerRow,
  askedIn,
  isFalse,
  sums,
  table,
  visibilityTable,
} from './framework-tables.ts';
import { questions } from './two-questions.ts';

const path = join(resolve(import.meta.dirname, '../..'), 'docs/frameworks.md');
const update = process.env['UPDATE_DOCS'] !== undefined;

/** The text between the marks of one generated part. */
function part(name: string): string {
  const text = readFileSync(path, 'utf8');
  return new RegExp(`<!-- generated: ${name} -->\n([\\s\\S]*?)\n<!-- end -->`).exec(text)?.[1] ?? '';
}

function write(name: string, made: string): void {
  const place = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(place, (_, start, end) => `${start}${made}${end}`),
  );
}

const howTo = 'UPDATE_DOCS=1 OTEL_EVAL_ALL_CAPTURES=1 npx vitest run test/docs/frameworks.test.ts writes it';

test(`the table of what each instrumentation shows is current (${howTo})`, () => {
  const made = visibilityTable();
  if (update) write('visibility', made);
  expect(part('visibility')).toBe(made);
});

test('every dialect declares rows, and the last one of each fits any scope', () => {
  const open = dialects.filter(({ sights }) => {
    const last = sights.at(-1);
    return last === undefined || last.scope !== undefined;
  });
  expect(open.map(({ name }) => name)).toEqual([]);
});

const folders = captureFolders();
const asked: Asked[] = [];

describe.skipIf(sharedCases === undefined)(
  `two questions over captures of real frameworks${sharedCases === undefined ? ` (skipped: ${withoutSharedCases})` : ''}`,
  () => {
    const rows: (readonly string[])[] = [];
    test.each(sampleOf(folders, 8))('%s: no green where it is false, and its row is current', async (folder) => {
      const here = await askedIn(folder);
      asked.push(...here);
      rows.push(answerRow(folder, here));
      const names = Object.keys(questions) as (keyof typeof questions)[];
      const lies = here.flatMap(({ capture, answers }) =>
        names
          .filter((question) => isFalse(question, capture) && answers?.[question].light === 'green')
          .map((question) => [capture.story, question]),
      );
      expect(lies).toEqual([]);
      if (!update) expect(part('answers')).toContain(table(answerHeads, [answerRow(folder, here)]).split('\n')[2]);
    });

    test.skipIf(!allCaptures)(
      'no red where it is true, and the tables are current (all captures: OTEL_EVAL_ALL_CAPTURES)',
      () => {
        if (update) {
          write('answers', table(answerHeads, rows));
          write('sums', sums(asked));
        }
        const falseReds = asked.flatMap(({ capture, answers }) =>
          (['refund', 'tools'] as const)
            .filter((question) => !isFalse(question, capture) && answers?.[question].light === 'red')
            .map((question) => `${capture.folder}/${capture.story} ${question}`),
        );
        expect(falseReds).toEqual([]);
        expect(part('answers')).toBe(table(answerHeads, rows));
        expect(part('sums')).toBe(sums(asked));
      },
    );
  },
);
