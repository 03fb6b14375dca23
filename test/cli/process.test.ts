import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { otlpOf } from '../view-builder.ts';
import { scratchFolder } from './run-cli.ts';

// The built command line, as a process of its own.
const root = resolve(import.meta.dirname, '../..');
const main = resolve(root, 'dist/src/cli/main.js');
const scratch = scratchFolder();
afterAll(scratch.remove);
const run = (args: string[], input?: string) =>
  spawnSync(process.execPath, [main, ...args], {
    cwd: scratch.path,
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  });

describe.skipIf(!existsSync(main))('the built command line (skipped where nothing is built)', () => {
  test('tells the version of the package, and loads nothing for it', () => {
    const { status, stdout } = run(['--version']);
    const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` });
    const loaded = spawnSync(
      process.execPath,
      ['--trace-warnings', '--import', 'data:text/javascript,', main, '--version'],
      {
        encoding: 'utf8',
        env: { ...process.env, NODE_DEBUG: 'esm,module' },
      },
    );
    expect(loaded.stderr).not.toMatch(/commander|zod|undici/);
  });

  test('ends with 0, 1, 2 and 4', () => {
    writeFileSync(scratch.file('good.json'), otlpOf([{ id: '1' }]));
    writeFileSync(scratch.file('bad.json'), otlpOf([{ id: '1' }, { id: '2' }]));
    writeFileSync(scratch.file('empty.json'), '{"resourceSpans":[]}');
    const codes = ['good.json', 'bad.json', 'absent.json', 'empty.json'].map(
      (input) => run(['check', '--input', input, '--assert', 'ExecutionTraceJoined']).status,
    );
    expect(codes).toEqual([0, 1, 2, 4]);
  });

  test('reads standard input', () => {
    const { status, stdout } = run(['show', '--input', '-', '--as', 'json'], otlpOf([{ id: '1' }]));
    expect(status).toBe(0);
    expect(JSON.parse(stdout).traces).toHaveLength(1);
  });

  test('a reader that goes away is no fault, and takes no verdict and no report with it', async () => {
    const spans = Array.from({ length: 3_000 }, (_, i) => ({ id: (i + 1).toString(16).padStart(4, '0') }));
    writeFileSync(scratch.file('many.json'), otlpOf(spans));
    const ended = async (args: string[]): Promise<{ code: number | null; stderr: string }> => {
      const child = spawn(process.execPath, [main, ...args], { cwd: scratch.path, stdio: ['ignore', 'pipe', 'pipe'] });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        stderr += text;
      });
      child.stdout.destroy();
      const [code] = await once(child, 'exit');
      return { code, stderr };
    };
    expect(await ended(['show', '--input', 'many.json', '--as', 'tree'])).toEqual({ code: 0, stderr: '' });
    const check = ['check', '--input', 'many.json', '--assert', 'ExecutionTraceJoined', '--junit', 'many.xml'];
    expect(await ended(check)).toEqual({ code: 1, stderr: '' });
    expect(readFileSync(scratch.file('many.xml'), 'utf8')).toContain('</testsuites>');
  });
});
