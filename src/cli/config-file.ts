import { access } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Config } from './read-config.ts';

export interface LoadedConfig extends Config {
  /** Relative paths of `traces` start here (the others are made relative to the working folder); absent without a file. */
  readonly folder?: string;
}

const names = ['ts', 'js', 'yaml', 'json'].map((ending) => `otel-eval.config.${ending}`);

/** The file that was named, else the nearest one upwards of `cwd`, else nothing. */
export async function loadConfig(named: string | undefined, cwd: string): Promise<LoadedConfig> {
  const path = named ?? (await findUpwards(cwd));
  if (path === undefined) return {};
  // Most calls have no configuration, and need none of what reads one.
  const { readConfig } = await import('./read-config.ts');
  const folder = dirname(resolve(cwd, path));
  const { suite, json, junit, html, markdown, traces } = await readConfig(path, cwd);
  const from = (file: string | undefined): string | undefined =>
    file === undefined ? undefined : relative(cwd, resolve(folder, file));
  return {
    suite: from(suite),
    json: from(json),
    junit: from(junit),
    html: from(html),
    markdown: from(markdown),
    traces,
    folder,
  };
}

async function findUpwards(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of names) {
      const path = join(folder, name);
      if (await exists(path)) return path;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
