import { expect, test } from 'vitest';
import { contentText } from '../../src/instrument/content-text.ts';
import { roughSize } from '../../src/instrument/rough-size.ts';

test('never more than the JSON, and more than what is allowed for what has no end', () => {
  for (const value of ['', 'abc', [1, 2], { key: 'value' }, { a: [{ b: 'c' }], d: null }]) {
    expect(roughSize(value, 1_000)).toBeLessThanOrEqual(JSON.stringify(value).length + 8);
  }
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const wide = Array.from({ length: 1_000 }, () => cycle);
  cycle.push(...wide, wide);
  expect(roughSize(cycle, 65_536)).toBeGreaterThan(65_536);
});

test('an object that stands in two places is no cycle: it counts twice', () => {
  const part = { type: 'text', content: 'x'.repeat(100) };
  expect(roughSize([part, part], 1_000) - roughSize([part], 1_000)).toBe(roughSize(part, 1_000));
  expect(contentText([part, { part }])).toBe(JSON.stringify([part, { part }]));
});

test('what doubles at every level is too large before it is written', () => {
  let value: unknown = 'x';
  for (let level = 0; level < 200; level++) value = [value, value];
  expect(contentText(value)).toBeUndefined();
});
