// A throw-away project that holds what a user gets: the packed tarball, and our declared dependencies (linked, so that
// nothing is fetched).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..', '..');
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * @param {readonly string[]} beside further packages of ours that the project has installed
 * @returns {{ folder: string, tarball: string, cli: string, remove: () => void }}
 */
export function packedProject(beside = []) {
  const folder = mkdtempSync(join(tmpdir(), 'otel-eval-packed-'));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  const tarball = join(folder, filename);
  const target = join(folder, 'node_modules', 'otel-eval');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  for (const name of new Set([...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), ...beside])) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  return {
    folder,
    tarball,
    cli: join(target, manifest.bin['otel-eval']),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The subpaths a user may import, as `otel-eval/collectors/memory`. */
export const subpaths = Object.keys(manifest.exports)
  .filter((path) => path !== './package.json')
  .map((path) => path.replace(/^\./, 'otel-eval'));
