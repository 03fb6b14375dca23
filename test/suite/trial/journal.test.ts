import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openJournal } from '../../../src/suite/trial/journal.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-journal-'));
  path = join(folder, 'run.journal');
});
afterEach(() => rmSync(folder, { recursive: true }));

const header = { version: '1.0.0', planHash: 'abc' };

describe('the journal of a run', () => {
  test('what was appended is there at the next opening', () => {
    const first = openJournal(path, header);
    expect(first.finished.size).toBe(0);
    first.append('a#1', { status: 'passed' });
    first.append('a#2', { status: 'failed' });
    first.close();
    const second = openJournal(path, header);
    expect([...second.finished]).toEqual([
      ['a#1', { status: 'passed' }],
      ['a#2', { status: 'failed' }],
    ]);
    second.close();
  });

  test('a line cut off by a crash is not counted, and the next one stands on its own', () => {
    const first = openJournal(path, header);
    first.append('a#1', { status: 'passed' });
    first.close();
    appendFileSync(path, '{"key":"a#2","rec');
    const second = openJournal(path, header);
    expect([...second.finished.keys()]).toEqual(['a#1']);
    second.append('a#2', { status: 'failed' });
    second.close();
    expect([...openJournal(path, header).finished.keys()]).toEqual(['a#1', 'a#2']);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
  });

  test('a crash before the first line is whole begins anew', () => {
    writeFileSync(path, '{"schema":"otel-ev');
    const journal = openJournal(path, header);
    journal.append('a#1', 1);
    expect([...openJournal(path, header).finished]).toEqual([['a#1', 1]]);
  });

  test('another plan, another version and another file are refused', () => {
    openJournal(path, header).close();
    expect(() => openJournal(path, { ...header, planHash: 'abd' })).toThrow(
      `${path} is the journal of another plan: suite, profile, trials or seed differ`,
    );
    expect(() => openJournal(path, { ...header, version: '1.0.1' })).toThrow(
      `${path} is the journal of another version of otel-eval (1.0.0)`,
    );
    writeFileSync(path, '{"not":"a journal"}\n');
    expect(() => openJournal(path, header)).toThrow(`expected a journal of "otel-eval run" in ${path}, line 1 is none`);
    expect(() => openJournal(folder, header)).toThrow(`cannot use ${folder} as a journal: EISDIR`);
  });
});
