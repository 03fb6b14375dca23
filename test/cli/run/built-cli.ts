import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root: string = resolve(import.meta.dirname, '../../..');

/** The built command line, for tests that need a process to kill. Built anew only where a source is newer. */
export function builtCli(): string {
  const main = join(root, 'dist/src/cli/main.js');
  const built = changedAtMs(main);
  const newest = ['src', 'collectors', 'assertions']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
    )
    .filter((path) => path.endsWith('.ts'))
    .reduce((latest, path) => Math.max(latest, changedAtMs(path)), 0);
  if (built < newest) execFileSync('npx', ['tsc', '-p', '.'], { cwd: root, stdio: 'inherit' });
  return main;
}

function changedAtMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
