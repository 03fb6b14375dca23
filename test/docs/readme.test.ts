import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const path = join(root, 'README.md');
const readme = readFileSync(path, 'utf8');
const cli = join(root, 'dist/src/cli/main.js');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const run = (line: string) => {
  const [, ...args] = line.split(' ');
  return spawnSync(process.execPath, [cli, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
};

/** Blocks that stand for a file, by its path. */
const fileBlocks = [...readme.matchAll(/<!-- file: (\S+) -->\n```(\w+)\n([\s\S]*?)```/g)];

if (process.env.UPDATE_README) {
  const filled = readme.replace(/<!-- file: (\S+) -->\n```(\w+)\n[\s\S]*?```/g, (_, file, language) => {
    return `<!-- file: ${file} -->\n\`\`\`${language}\n${read(file)}\`\`\``;
  });
  writeFileSync(path, filled);
}

describe('README', () => {
  test.each(fileBlocks.map(([, file = '', , text = '']) => [file, text]))('%s stands there as it is', (file, text) => {
    expect(text, 'UPDATE_README=1 npx vitest run test/docs fills it in').toBe(read(file));
  });

  test('has exactly two set-up commands', () => {
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim());
    expect(blocks.filter((block) => block.startsWith('npm'))).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });

  test('its commands do what it says', () => {
    const lines = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = '']) => text.trim().split('\n'));
    const commands = lines.filter((line) => line.startsWith('otel-eval'));
    expect(commands.map((line) => run(line).status)).toEqual([0, 1]);
    const [, output = ''] = /<!-- output: [^>]*-->\n```text\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(run(commands[1] ?? '').stdout).toContain(output.trim());
  });

  test('every link leads somewhere', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });
});
