import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { assertTrace } from '../../src/testing/index.ts';
import { matchers } from '../../src/testing/matchers.ts';

// The snippets are run by test/package/getting-started.test.mjs.
const root = resolve(import.meta.dirname, '../..');
const path = join(root, 'docs/testing.md');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const block = /<!-- file: (\S+) -->\n```(\w+)\n([\s\S]*?)```/g;

if (process.env.UPDATE_README) {
  const filled = readFileSync(path, 'utf8').replace(block, (_, file, language) => {
    return `<!-- file: ${file} -->\n\`\`\`${language}\n${read(file)}\`\`\``;
  });
  writeFileSync(path, filled);
}
const page = readFileSync(path, 'utf8');
const blocks = [...page.matchAll(block)].map(([, file = '', , text = '']) => ({ file, text }));

test.each(blocks)('$file stands there as it is', ({ file, text }) => {
  expect(text, 'UPDATE_README=1 npx vitest run test/docs fills it in').toBe(read(file));
});

test('every snippet that is run stands there, in at most 15 lines of code', () => {
  const snippets = readdirSync(join(root, 'fixtures/getting-started')).filter((file) =>
    /\.(test|spec)\.|^script/.test(file),
  );
  const shown = blocks.map(({ file }) => file.replace('fixtures/getting-started/', ''));
  expect(snippets.filter((file) => !shown.includes(file))).toEqual([]);
  const code = (text: string) => text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  const long = blocks.filter(({ file, text }) => !file.endsWith('.txt') && code(text).length > 15);
  expect(long.map(({ file }) => file)).toEqual([]);
});

test('every matcher and every statement is in the table', () => {
  const named = [
    ...Object.keys(matchers).map((name) => `\`${name}(`),
    ...Object.keys(assertTrace).map((name) => `\`${name}\``),
  ];
  expect(named.filter((name) => name !== '`not`' && !page.includes(name))).toEqual([]);
});

test('every link leads somewhere', () => {
  const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(resolve(dirname(path), link)))).toEqual([]);
});
