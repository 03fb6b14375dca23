import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sharedCases, withoutSharedCases } from './shared-cases.ts';

const root = resolve(import.meta.dirname, '..');
const rows = readFileSync(join(root, 'REQUIREMENTS.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| ((?:C|R\d)-\d+)(?: NC)? \| (\w+) \| ?(.*?) ?\|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, id = '', state = '', evidence = '']) => ({ id, state, evidence }));

test('every state is done, begun or open', () => {
  expect(rows.filter(({ state }) => !['done', 'begun', 'open'].includes(state))).toEqual([]);
});

test('what is done names a test that exists', () => {
  const named = (evidence: string) => [...evidence.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
  const unproven = rows
    .filter(({ state }) => state === 'done')
    .filter(
      ({ evidence }) => named(evidence).length === 0 || named(evidence).some((path) => !existsSync(join(root, path))),
    );
  expect(unproven).toEqual([]);
});

const source = sharedCases && join(sharedCases, '..', 'requirements.md');
test.skipIf(!source)(`every requirement has one row (skipped when ${withoutSharedCases})`, () => {
  const text = readFileSync(source ?? '', 'utf8');
  const ids = [...text.matchAll(/^\| ((?:C|R\d)-\d+)(?: NC)? \|/gm)].map(([, id]) => id);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});
