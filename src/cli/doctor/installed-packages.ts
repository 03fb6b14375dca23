import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** One installed copy of a package. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** From the project's folder, as `node_modules/a/node_modules/@opentelemetry/api`. */
  readonly at: string;
}

const deepest = 8;
const mostFolders = 20_000;

/** Every copy of every package under a project's `node_modules`, however deeply nested; links are followed once. */
export async function installedPackages(project: string): Promise<InstalledPackage[]> {
  const found: InstalledPackage[] = [];
  const seen = new Set<string>();
  const visit = async (folder: string, depth: number): Promise<void> => {
    if (depth > deepest || seen.size > mostFolders) return;
    for (const path of await packageFolders(join(folder, 'node_modules'))) {
      const real = await realpath(path).catch(() => path);
      if (seen.has(real)) continue;
      seen.add(real);
      const manifest = await manifestOf(path);
      if (manifest !== undefined) found.push({ ...manifest, at: relative(project, path) });
      await visit(path, depth + 1);
    }
  };
  await visit(project, 0);
  return found;
}

async function packageFolders(modules: string): Promise<string[]> {
  const names = await namesIn(modules);
  const scoped = names.filter((name) => name.startsWith('@'));
  const plain = names.filter((name) => !name.startsWith('@') && !name.startsWith('.'));
  const inScopes = await Promise.all(
    scoped.map(async (scope) => (await namesIn(join(modules, scope))).map((name) => join(modules, scope, name))),
  );
  return [...plain.map((name) => join(modules, name)), ...inScopes.flat()].sort();
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function manifestOf(folder: string): Promise<{ name: string; version: string } | undefined> {
  try {
    const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}
